// Commands: a form with data-command is posted once, however often it is tapped; money asks for a PIN, some acts for two.
"use strict";
(() => {
  const { headers, toast, version, words, showLive } = Krupier;
  const proof = document.getElementById("proof"), sure = document.getElementById("sure");
  const BOUNCE_MS = 700, taps = new Map();
  const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
  const tap = () => (crypto.randomUUID ? crypto.randomUUID() : fresh());

  function ask(dialog, prepare) {
    return new Promise((resolve) => {
      const form = dialog.querySelector("form");
      form.reset(); prepare(form); dialog.returnValue = "";
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? new FormData(form) : null), { once: true });
      dialog.showModal();
    });
  }

  async function confirmed(form) {
    if (!form.dataset.confirm) return true;
    return await ask(sure, () => { sure.querySelector("[data-text]").textContent = form.dataset.confirm; }) !== null;
  }

  // What the person proves: the own PIN, a second person's name and PIN.
  async function proved(form, data) {
    const second = form.dataset.second; // "yes", "no"; a select named "what" or "remedy" may decide by its option
    const chosen = form.querySelector("[data-decides-second] option:checked, [data-decides-second]:checked");
    const two = second === "yes" || (chosen !== null && chosen.dataset.two === "yes");
    if (form.dataset.pin !== "yes" && !two) return true;
    const given = await ask(proof, (own) => {
      own.querySelector("[data-own]").hidden = form.dataset.pin !== "yes";
      own.querySelector("[data-two]").hidden = !two;
      for (const field of own.querySelectorAll("[data-own] input")) field.required = form.dataset.pin === "yes";
      for (const field of own.querySelectorAll("[data-two] input, [data-two] select")) field.required = two;
    });
    if (given === null) return false;
    for (const [name, value] of given) if (value) data.set(name, value);
    return true;
  }

  function report(form, answer) {
    toast(answer.text, answer.outcome === "done" ? "good" : "bad");
    if (answer.outcome !== "done") return;
    if (form.dataset.then) location.assign(form.dataset.then);
    else if (form.dataset.reset === "yes") { form.reset(); form.dispatchEvent(new Event("input", { bubbles: true })); }
  }

  // A finger that bounces taps twice, and a panel drawn anew between the two would make the second one fresh.
  function again(form, submitter) {
    const data = new FormData(form, submitter);
    for (const name of ["id", "version", "csrf_token"]) data.delete(name);
    const said = `${form.getAttribute("action")}?${new URLSearchParams(data)}`, before = taps.get(said) || 0;
    taps.set(said, Date.now());
    return form.dataset.repeat !== "yes" && Date.now() - before < BOUNCE_MS;
  }

  async function send(form, submitter) {
    const data = new FormData(form, submitter), shown = version(data.get("table"));
    if (!await confirmed(form) || !await proved(form, data)) return;
    if (!data.get("id")) data.set("id", tap());
    if (!data.has("version") || form.dataset.version === "live") data.set("version", String(shown));
    form.dataset.busy = "1"; showLive();
    try {
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(data), headers: headers() });
      if (answer.status === 401 || answer.status === 423) { location.reload(); return; }
      report(form, await answer.json());
    } catch { toast(words.not_sent, "bad"); }
    finally { delete form.dataset.busy; const id = form.elements.namedItem("id"); if (id) id.value = tap(); showLive(); }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-command")) return;
    event.preventDefault();
    if (form.dataset.busy !== "1" && !again(form, event.submitter)) send(form, event.submitter);
  });

  // A PIN pad's keys type into the field they belong to.
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-key]");
    if (key === null) return;
    const field = document.getElementById(key.closest("[data-pad]").dataset.pad);
    if (key.dataset.key === "back") field.value = field.value.slice(0, -1);
    else if (field.value.length < field.maxLength) field.value += key.dataset.key;
  });

  // A count by denomination adds itself up.
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form"), sum = form && form.querySelector("[data-sum]");
    if (!sum) return;
    const minor = Array.from(form.querySelectorAll("[data-worth]"))
      .reduce((total, field) => total + Number(field.dataset.worth) * (parseInt(field.value, 10) || 0), 0);
    sum.textContent = new Intl.NumberFormat(document.documentElement.lang,
      { style: "currency", currency: sum.dataset.currency, minimumFractionDigits: minor % 100 ? 2 : 0 }).format(minor / 100);
  });

  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step === null) return;
    const field = step.parentElement.querySelector("input");
    field.value = String(Math.max(0, (parseInt(field.value, 10) || 0) + Number(step.dataset.step)));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // What is tapped here is shown at once.
  document.addEventListener("change", (event) => { if (event.target.matches("[data-submits]")) event.target.form.requestSubmit(); });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]"), closer = event.target.closest("[data-closes]");
    if (opener) document.getElementById(opener.dataset.opens).showModal();
    if (closer) closer.closest("dialog").close("");
    if (event.target.closest("[data-print]")) window.print();
  });
})();
