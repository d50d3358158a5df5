// Places dragged over the picture, by finger, mouse or arrow keys; the form takes along where each middle was dropped.
const picture = document.querySelector("svg.measured");
const form = document.getElementById("placed");

if (picture && form) {
  const middles = {};

  const move = (place, x, y) => {
    const [fromX, fromY] = [Number(place.dataset.x), Number(place.dataset.y)];
    place.setAttribute("transform", `translate(${x - fromX} ${y - fromY})`);
    middles[place.dataset.name] = [x, y];
    form.elements.middles.value = JSON.stringify(middles);
  };
  const at = (place) => middles[place.dataset.name] ?? [Number(place.dataset.x), Number(place.dataset.y)];
  const inPicture = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());

  for (const place of picture.querySelectorAll(".place")) {
    let held = null;
    place.addEventListener("pointerdown", (event) => {
      const point = inPicture(event), [x, y] = at(place);
      held = [point.x - x, point.y - y];
      place.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    place.addEventListener("pointermove", (event) => {
      if (held === null) return;
      const point = inPicture(event);
      move(place, point.x - held[0], point.y - held[1]);
    });
    for (const end of ["pointerup", "pointercancel"]) place.addEventListener(end, () => { held = null; });
    place.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-2, 0], ArrowRight: [2, 0], ArrowUp: [0, -2], ArrowDown: [0, 2] }[event.key];
      if (!step) return;
      const [x, y] = at(place);
      move(place, x + step[0], y + step[1]);
      event.preventDefault();
    });
  }
}
