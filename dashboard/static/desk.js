// The desk: a recorded round step by step (buttons, slider, keys, the video's own clock), choosers, printing.
"use strict";
(() => {
  for (const form of document.querySelectorAll("[data-chooser]")) {
    for (const choice of form.querySelectorAll("select")) {
      choice.addEventListener("change", () => {
        if (choice.name === "table") form.elements.namedItem("day").disabled = true; // the other table's newest day
        form.requestSubmit();
      });
    }
  }
  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());

  const replay = document.getElementById("replay");
  if (!replay) return;
  const place = document.getElementById("moment"), scrub = document.getElementById("scrub");
  const steps = Array.from(document.querySelectorAll("#steps a"));
  const films = Array.from(document.querySelectorAll("video[data-segments]"), (video) => ({ video, segments: JSON.parse(video.dataset.segments), loaded: null }));
  const ns = (link) => Number(link.dataset.ns) / 1e9;
  const drawn = new Map();
  let at = Number(scrub.value), timer = null, wanted = at;

  const url = (index) => replay.dataset.moment.replace(/0$/, steps[index].dataset.seq);

  function fetched(index) {
    if (!drawn.has(index)) {
      const answer = fetch(url(index)).then((found) => {
        if (found.status === 401 || found.status === 423 || found.redirected) { location.reload(); return null; }
        return found.ok ? found.text() : null;
      });
      answer.then((html) => { if (html === null) drawn.delete(index); }, () => drawn.delete(index));
      drawn.set(index, answer);
    }
    return drawn.get(index);
  }

  // Shows a step. The list, the slider and the address follow at once; the felt as soon as it is drawn, the newest wins.
  async function go(index, { seek = true } = {}) {
    const next = Math.min(Math.max(index, 0), steps.length - 1);
    wanted = next; at = next; scrub.value = String(next);
    steps.forEach((link, here) => { if (here === next) link.setAttribute("aria-current", "step"); else link.removeAttribute("aria-current"); });
    keepInSight(steps[next]); showShots(steps[next].dataset.seq);
    history.replaceState(null, "", `?seq=${steps[next].dataset.seq}`);
    if (seek) seekTo(ns(steps[next]));
    const html = await fetched(next).catch(() => null);
    if (wanted !== next || html === null) return;
    place.innerHTML = html;
    keepInSight(steps[next]); // the list is as high as the felt and what is told of it
    for (const near of [next + 1, next + 2, next - 1]) if (near >= 0 && near < steps.length) fetched(near).catch(() => null);
  }

  function keepInSight(link) {
    const list = link.closest("ol"), top = link.offsetTop - list.offsetTop;
    const fits = top >= list.scrollTop && top + link.offsetHeight <= list.scrollTop + list.clientHeight;
    if (!fits) list.scrollTop = top - list.clientHeight / 2;
  }

  function showShots(seq) {
    let last = null;
    for (const shot of document.querySelectorAll("#shots [data-moment]")) {
      shot.classList.remove("now");
      if (Number(shot.dataset.moment) <= Number(seq)) last = shot;
    }
    if (last) last.classList.add("now");
  }

  // Video, one of each camera: segments with the seconds they cover; seeking to a moment loads the segment it lies in.
  function seek(film, second) {
    const found = film.segments.find((one) => one.since <= second && second < one.until);
    if (!found) return;
    const move = () => { film.video.currentTime = second - found.since; };
    if (film.loaded === found) { move(); return; }
    film.loaded = found; film.video.src = found.url;
    film.video.addEventListener("loadedmetadata", move, { once: true });
  }
  function seekTo(second) { for (const film of films) seek(film, second); }
  for (const film of films) {
    film.video.addEventListener("timeupdate", () => {
      if (film.video.paused || !film.loaded) return;
      const second = film.loaded.since + film.video.currentTime;
      let last = 0;
      steps.forEach((link, index) => { if (ns(link) <= second) last = index; });
      if (last === at) return;
      go(last, { seek: false });
      for (const other of films) if (other.video.paused) seek(other, second);
    });
    film.video.addEventListener("ended", () => {
      const next = film.segments[film.segments.indexOf(film.loaded) + 1];
      if (next) { film.loaded = next; film.video.src = next.url; film.video.play(); }
    });
  }

  // Playing: a step a second, or with the pauses there were, so many times faster.
  const button = replay.querySelector("[data-go=play]"), speed = document.getElementById("speed");
  function playing(on) {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    button.classList.toggle("playing", on);
    button.setAttribute("aria-label", on ? button.dataset.stop : button.dataset.play);
    if (on) tick();
  }
  function tick() {
    if (at >= steps.length - 1) { playing(false); return; }
    const times = Number(speed.value), pause = times ? (ns(steps[at + 1]) - ns(steps[at])) * 1000 / times : 1000;
    timer = setTimeout(() => { go(at + 1); tick(); }, Math.min(Math.max(pause, 60), 8000));
  }

  const moves = {
    first: () => go(0), back: () => go(at - 1), forward: () => go(at + 1), last: () => go(steps.length - 1),
    play: () => { if (timer !== null) { playing(false); return; } if (at >= steps.length - 1) go(0); playing(true); },
  };
  for (const one of replay.querySelectorAll("[data-go]")) {
    one.addEventListener("click", () => { if (one.dataset.go !== "play") playing(false); moves[one.dataset.go](); });
  }
  steps.forEach((link, index) => link.addEventListener("click", (tap) => { tap.preventDefault(); playing(false); go(index); }));
  scrub.addEventListener("input", () => { playing(false); go(Number(scrub.value)); });
  const keys = { ArrowRight: "forward", ArrowDown: "forward", ArrowLeft: "back", ArrowUp: "back", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (press) => {
    const typing = press.target.closest("input:not([type=range]), select, textarea, video, dialog");
    if (typing || press.ctrlKey || press.altKey || press.metaKey || !(press.key in keys)) return;
    if (press.key === " " && press.target.closest("button, a, summary")) return;
    press.preventDefault();
    if (keys[press.key] !== "play") playing(false);
    moves[keys[press.key]]();
  });
  keepInSight(steps[at]); showShots(steps[at].dataset.seq); seekTo(ns(steps[at]));
})();
