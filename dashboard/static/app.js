// Keeps the panels of a page as the server draws them, says when they are not live, and locks an idle screen.
"use strict";
const Krupier = (() => {
  const STALE_MS = 5000, TOUCH_MS = 60000;
  const body = document.body, words = JSON.parse(document.getElementById("words").textContent);
  const panels = () => Array.from(document.querySelectorAll("[data-panel]"));
  const csrf = () => document.querySelector("meta[name=csrf-token]").content;
  let lastPulse = 0, ahead = 0, tables = {}, touched = Date.now(), told = Date.now(), missing = {};

  const headers = (more) => Object.assign({ Accept: "application/json", "X-CSRFToken": csrf() }, more);
  const now = () => Date.now() + ahead;

  // Nothing moves under a finger that is down: the tap would be lost, or land on what came there instead.
  const FINGER_MS = 700, waiting = new Map();
  let down = 0;
  function lift() { down = 0; setTimeout(() => { if (!down) { for (const drawn of waiting.values()) draw(drawn); waiting.clear(); } }); }
  function put(drawn) {
    if (Date.now() - down < FINGER_MS) waiting.set(drawn.panel, drawn); else { waiting.delete(drawn.panel); draw(drawn); }
  }

  // A panel is morphed, not replaced: focus, scrolling and half-typed text stay.
  function draw({ panel, html, digest }) {
    for (const place of document.querySelectorAll(`[data-panel="${CSS.escape(panel)}"]`)) {
      if (place.dataset.digest === digest) continue;
      Idiomorph.morph(place, html, { morphStyle: "innerHTML", ignoreActiveValue: true });
      place.dataset.digest = digest;
      place.dispatchEvent(new CustomEvent("krupier:panel", { bubbles: true, detail: { panel } }));
    }
    ages();
  }

  async function fetchPanel(name) {
    const [table, panel] = name.split("/");
    try {
      const answer = await fetch(`/panel/${encodeURIComponent(table)}/${encodeURIComponent(panel)}`,
        { headers: headers({ "X-Krupier-Quiet": "1" }) });
      if (answer.ok) put(await answer.json());
    } catch { /* the banner says so already */ }
  }

  // A digest that differs for two pulses running means that a drawing was lost on the way.
  function check(digests) {
    for (const place of panels()) {
      const name = place.dataset.panel;
      if (!(name in digests) || digests[name] === place.dataset.digest) { delete missing[name]; continue; }
      if (missing[name]) { delete missing[name]; fetchPanel(name); } else missing[name] = true;
    }
  }

  function pulse(said) {
    lastPulse = Date.now(); ahead = said.now - lastPulse; tables = said.tables;
    check(said.digests); showLive();
  }

  function showLive() {
    const table = body.dataset.table, known = tables[table];
    const heard = panels().length === 0 || Date.now() - lastPulse < STALE_MS;
    const live = heard && (!table || panels().length === 0 || (known ? known.live : false));
    const since = heard ? words.controller : words.stale.replace("{time}", lastPulse ? clock(lastPulse) : "–");
    const banner = document.getElementById("not-live");
    if (banner) { banner.hidden = live; if (!live && banner.textContent !== since) banner.textContent = since; }
    body.dataset.live = live ? "yes" : "no";
    for (const button of document.querySelectorAll("form[data-command] [type=submit]"))
      if (!button.hasAttribute("data-off")) button.disabled = !live || button.form.dataset.busy === "1";
  }

  const clock = (ms) => new Date(ms).toLocaleTimeString(document.documentElement.lang, { timeZone: body.dataset.zone });

  function ages() {
    for (const place of document.querySelectorAll("[data-age-ns]")) {
      const seconds = Math.max(0, Math.floor(now() / 1000 - Number(place.dataset.ageNs) / 1e9));
      const told = seconds < 60 ? `${seconds} s` : seconds < 3600
        ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : `${Math.floor(seconds / 3600)} h`;
      if (place.textContent !== told) place.textContent = told;
    }
  }

  function version(table) {
    return tables[table] ? tables[table].version : Number(body.dataset.version);
  }

  function toast(text, kind) {
    const line = document.createElement("p");
    line.className = `toast ${kind}`; line.textContent = text;
    document.getElementById("toasts").append(line);
    setTimeout(() => line.remove(), kind === "good" ? 3500 : 9000);
  }

  function idle() {
    const limit = Number(body.dataset.idle) * 1000;
    if (limit && Date.now() - touched > limit) { touched = Date.now(); document.getElementById("lock").requestSubmit(); }
  }

  function touch() {
    touched = Date.now();
    if (!Number(body.dataset.idle) || touched - told < TOUCH_MS) return;
    told = touched;
    fetch("/here", { method: "POST", headers: headers() }).catch(() => {});
  }

  function listen() {
    const names = Array.from(new Set(panels().map((place) => place.dataset.panel)));
    if (names.length === 0) return;
    const socket = io({ transports: ["websocket"], query: { panels: names.join(",") }, reconnectionDelayMax: 2000 });
    socket.on("panel", put);
    socket.on("pulse", pulse);
    socket.on("bye", ({ why }) => { if (why !== "slow") location.assign(why === "locked" ? "/unlock" : "/sign-in"); else socket.connect(); });
  }

  document.addEventListener("pointerdown", () => { down = Date.now(); setTimeout(() => { if (Date.now() - down >= FINGER_MS) lift(); }, FINGER_MS); }, true);
  for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, lift, true);
  for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, touch, { passive: true });
  setInterval(() => { showLive(); ages(); idle(); }, 1000);
  lastPulse = Date.now(); // a page just drawn is as fresh as it says
  listen(); ages();
  return { headers, toast, version, words, now, showLive };
})();
