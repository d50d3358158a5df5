// Charts over time: the numbers are in the page, the axes are in the venue's time and the reader's language.
"use strict";
(() => {
  const language = document.documentElement.lang, zone = document.body.dataset.zone;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const axis = (values) => ({ stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") },
    font: "13px Inter, sans-serif", values, space: 64 });

  function options(place, width) {
    const bars = place.dataset.chart === "bars", unit = place.dataset.unit ? ` ${place.dataset.unit}` : "";
    const line = { label: place.dataset.name, stroke: colour("--primary"), width: 2, points: { show: false },
      value: (_plot, value) => (value === null ? "–" : number.format(value) + unit) };
    if (bars) Object.assign(line, { fill: colour("--primary"), paths: uPlot.paths.bars({ size: [0.62, 90], radius: 0.12 }) });
    else Object.assign(line, { paths: uPlot.paths.stepped({ align: 1 }), fill: (plot) => shade(plot) });
    return { width, height: 260, padding: [12, 14, 0, 0], legend: { live: true },
      cursor: { points: { size: 8 }, drag: { x: false, y: false } },
      scales: { y: { range: (_plot, low, high) => (bars ? [0, high * 1.12 || 1] : spread(Math.min(low, 0), Math.max(high, 0))) },
        x: bars ? { range: (_plot, low, high) => [low - 3600, high + 3600] } : {} },
      series: [{ label: place.dataset.time, value: (_plot, at) => (at === null ? "–" : clock.format(at * 1000)) }, line],
      axes: [axis((_plot, ticks) => ticks.map((at) => clock.format(at * 1000))), { ...axis((_plot, ticks) => ticks.map((at) => number.format(at))), size: 72 }] };
  }

  const spread = (low, high) => { const room = (high - low || 1) * 0.08; return [low < 0 ? low - room : 0, high + room]; };

  function shade(plot) {
    if (!Number.isFinite(plot.bbox.height) || !plot.bbox.height) return "transparent"; // asked before it is laid out
    const paint = plot.ctx.createLinearGradient(0, plot.bbox.top, 0, plot.bbox.top + plot.bbox.height);
    paint.addColorStop(0, `${colour("--primary")}55`); paint.addColorStop(1, `${colour("--primary")}05`);
    return paint;
  }

  for (const place of document.querySelectorAll("[data-chart]")) {
    const plot = new uPlot(options(place, place.clientWidth), JSON.parse(place.dataset.series), place);
    new ResizeObserver(() => { if (place.clientWidth) plot.setSize({ width: place.clientWidth, height: 260 }); }).observe(place);
  }
})();
