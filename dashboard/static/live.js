// The live table's own: clocks that run between two pushes, the alert's sound, a choice that survives a redrawn panel.
"use strict";
(() => {
  const now = () => (typeof Krupier === "undefined" ? Date.now() : Krupier.now());
  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

  function run() {
    for (const place of document.querySelectorAll("[data-clock-ns]")) {
      const told = clock(Math.max(0, Math.floor((now() - Number(place.dataset.clockNs) / 1e6) / 1000)));
      if (place.textContent !== told) place.textContent = told;
    }
  }

  // What was chosen stays chosen when the panel around it is drawn again.
  const kept = new Map();
  document.addEventListener("change", (event) => {
    if (event.target.dataset.keep) kept.set(event.target.dataset.keep, event.target.value);
  });
  function choose() {
    for (const field of document.querySelectorAll("[data-keep]")) {
      const value = kept.get(field.dataset.keep);
      if (value === undefined) continue;
      if (field.type === "radio") field.checked = field.value === value; else field.value = value;
    }
  }

  // A browser lets nothing sound before the first tap.
  let sound = null, heard = 0;
  document.addEventListener("pointerdown", () => {
    sound = sound || new AudioContext();
    sound.resume();
    document.body.dataset.sound = "on";
  });
  function tone(at, pitch) {
    const voice = sound.createOscillator(), loud = sound.createGain();
    voice.frequency.value = pitch; voice.type = "triangle";
    loud.gain.setValueAtTime(0.0001, at); loud.gain.exponentialRampToValueAtTime(0.25, at + 0.02); loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.28);
    voice.connect(loud).connect(sound.destination); voice.start(at); voice.stop(at + 0.3);
  }
  function listen(first) {
    let newest = 0, grave = "";
    for (const place of document.querySelectorAll("[data-alert-newest]"))
      if (Number(place.dataset.alertNewest) > newest) { newest = Number(place.dataset.alertNewest); grave = place.dataset.alertSeverity; }
    if (newest > heard && !first && sound && grave !== "note")
      for (let n = 0; n < (grave === "stop" ? 3 : 1); n += 1) tone(sound.currentTime + n * 0.35, grave === "stop" ? 880 : 587);
    heard = Math.max(heard, newest);
  }

  // A mistake made on purpose goes on record when its moment is shown; what did not get there is sent again.
  const planted = new Set();
  async function plant() {
    for (const form of document.querySelectorAll("form[data-planted]")) {
      const round = form.dataset.planted;
      if (planted.has(round)) continue;
      planted.add(round);
      try {
        const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form)), headers: Krupier.headers() });
        if (!answer.ok) planted.delete(round);
      } catch { planted.delete(round); }
    }
  }

  document.addEventListener("krupier:panel", () => { choose(); run(); listen(false); plant(); });
  setInterval(run, 1000);
  run(); listen(true); plant();
})();
