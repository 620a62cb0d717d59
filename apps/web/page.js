// The page: the model that it carries, a clock, mouse, keys and the panel.
//
// What stands behind # in its address sets it up: paused, panel=0, keyframe=NAME, camera=NAME, steps=N (simulated at
// once, before the first picture), control=X (of all actuators), report=1 (tells time and qpos to the console, for programs
// that read it), sensor=NAME (whose plot is shown).
//
// A page may have a controller, a function of the engine that sets controls before each time step:
// globalThis.sinewController, set by a script before this one (tools/gallery.py).
//
// A page that a program has served (program.js) shows what that program simulates, and has no clock of its own.
import { openEngine } from "./engine.js";
import { Plots } from "./plots.js";
import { Program } from "./program.js";
import { Renderer } from "./renderer.js";

const SHARE_OF_PICTURE = 0.7 / 60; // seconds that simulation may take of a picture
const LONGEST_PAUSE = 0.1; // seconds of the clock that are made up for

const element = (id) => document.getElementById(id);
const fail = (error) => {
  element("error").textContent = error.message ?? String(error);
  element("error").style.display = "block";
};

function modelBytes() {
  const binary = atob(element("model").textContent.trim());
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function addOptions(select, first, names, choose) {
  for (const [i, name] of [first, ...names].entries()) select.add(new Option(name, i - 1));
  select.addEventListener("change", () => {
    choose(Number(select.value));
    select.blur();
  });
}

class Page {
  constructor(engine, canvas) {
    this.engine = engine;
    this.canvas = canvas;
    this.renderer = new Renderer(canvas, engine);
    this.keyframe = -1;
    this.settings = new URLSearchParams(location.hash.slice(1));
    this.playing = !this.settings.has("paused");
    this.last = performance.now();
    this.behind = 0; // seconds that are still to be simulated under a controller
    element("controlled").hidden = !globalThis.sinewController;
    this.program = Program.serves() ? new Program(engine, fail) : null;
    this.plots = new Plots(engine.sensors, (i) => engine.sensor(i), element("plots"));
    this.sliders = engine.actuators.map((actuator, i) => this.addSlider(actuator, i));
    addOptions(element("camera"), "free camera", engine.cameras, (i) => engine.camera(i));
    addOptions(element("keyframe"), "initial state", engine.keyframes, (i) => this.reset(i));
    const first = engine.sensors.length ? "plot a sensor" : "no sensors";
    addOptions(element("sensor"), first, engine.sensors, (i) => this.plot(i));
    this.listen();
    this.apply(this.settings);
  }

  addSlider({ name, lower, upper }, i) {
    const label = document.createElement("label"), value = document.createElement("span");
    const slider = document.createElement("input");
    slider.type = "range";
    [slider.min, slider.max, slider.step] = [lower, upper, (upper - lower) / 1000];
    label.append(name, value, slider);
    slider.addEventListener("input", () => (this.engine.ctrl()[i] = Number(slider.value)));
    slider.addEventListener("dblclick", () => (this.engine.ctrl()[i] = 0));
    element("controls").append(label);
    return { slider, value };
  }

  plot(sensor) {
    if (sensor >= 0) this.plots.toggle(sensor);
    element("sensor").value = -1;
  }

  apply(settings) {
    const choose = (kind, names, set) => {
      if (!settings.has(kind)) return;
      const number = names.indexOf(settings.get(kind));
      if (number < 0) throw new Error(`the model has no ${kind} '${settings.get(kind)}'; it has: ${names.join(", ")}`);
      element(kind).value = number;
      set(number);
    };
    choose("camera", this.engine.cameras, (i) => this.engine.camera(i));
    choose("keyframe", this.engine.keyframes, (i) => this.reset(i));
    choose("sensor", this.engine.sensors, (i) => this.plot(i));
    if (settings.has("control")) this.engine.ctrl().fill(Number(settings.get("control")));
    if (settings.get("panel") === "0") element("panel").style.display = "none";
    this.engine.step(Number(settings.get("steps") ?? 0));
    if (settings.has("steps") && !this.playing) this.engine.forward();
  }

  reset(keyframe) {
    this.keyframe = keyframe;
    this.engine.reset(keyframe);
  }

  step() {
    this.play(false);
    if (this.program) this.engine.askSteps(1);
    else this.stepOnce();
  }

  controlled() {
    return globalThis.sinewController && element("controller").checked;
  }

  stepOnce() {
    if (this.controlled()) globalThis.sinewController(this.engine);
    this.engine.step(1);
  }

  // Simulates as much as belongs to so many seconds, as the engine does alone; a controller is asked before each step.
  simulate(seconds) {
    if (!this.controlled()) return this.engine.advance(seconds, SHARE_OF_PICTURE);
    const begin = performance.now(), { timestep } = this.engine;
    this.behind += seconds;
    for (; this.behind >= timestep && performance.now() - begin < 1000 * SHARE_OF_PICTURE; this.behind -= timestep) this.stepOnce();
    this.behind = Math.min(this.behind, 2 * timestep);
  }

  play(playing) {
    this.playing = playing;
    element("play").textContent = playing ? "Pause" : "Play";
  }

  listen() {
    const { engine, canvas } = this;
    const ratio = () => canvas.width / canvas.clientWidth;
    element("play").addEventListener("click", () => this.play(!this.playing));
    element("step").addEventListener("click", () => this.step());
    element("reset").addEventListener("click", () => this.reset(this.keyframe));
    element("toggle").addEventListener("click", () => element("panel").classList.toggle("closed"));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => {
      if (event.isTrusted) canvas.setPointerCapture(event.pointerId); // made events have no pointer
      const button = [0, 2, 1][event.button] ?? 0; // left, middle and right in the browser; left, right, middle here
      engine.press(button, event.ctrlKey || event.metaKey, event.offsetX * ratio(), event.offsetY * ratio(),
        event.timeStamp / 1000);
    });
    canvas.addEventListener("pointermove", (event) =>
      engine.drag(event.offsetX * ratio(), event.offsetY * ratio(), event.shiftKey));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => engine.release());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      engine.zoom(0.05 * Math.sign(event.deltaY));
    }, { passive: false });
    const keys = {
      Space: () => this.play(!this.playing),
      Backspace: () => this.reset(this.keyframe),
      ArrowRight: () => this.step(),
      Tab: () => element("panel").classList.toggle("closed"),
    };
    window.addEventListener("keydown", (event) => {
      if (!keys[event.code] || event.target.matches("input, select")) return;
      event.preventDefault();
      keys[event.code]();
    });
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas, ratio = window.devicePixelRatio;
    if (this.canvas.width === Math.floor(clientWidth * ratio) && this.canvas.height === Math.floor(clientHeight * ratio)) return;
    this.renderer.resize(clientWidth, clientHeight, ratio);
  }

  showPanel() {
    element("time").textContent = `time ${this.engine.time().toFixed(3)} s`;
    const ctrl = this.engine.ctrl();
    this.sliders.forEach(({ slider, value }, i) => {
      slider.value = ctrl[i];
      value.textContent = ctrl[i].toFixed(3);
    });
  }

  showProgram() {
    const still = this.program.exchange(!this.playing);
    if (still === this.playing) this.play(!still);
  }

  // One picture, and the simulation up to it.
  advance(now) {
    const passed = Math.min((now - this.last) / 1000, LONGEST_PAUSE);
    this.last = now;
    if (this.playing && !this.program) this.simulate(passed);
    if (!this.playing) this.engine.hold();
    if (this.program) this.showProgram();
    this.plots.add(this.engine.time());
    const error = this.engine.error();
    if (error) fail(error);
    this.resize();
    this.renderer.draw();
    this.showPanel();
  }

  report() {
    // Numbers with all of their digits.
    console.info("state " + JSON.stringify({ time: this.engine.time(), qpos: [...this.engine.qpos()] }));
  }
}

async function main() {
  const page = new Page(await openEngine(modelBytes(), JSON.parse(element("plugins").textContent)), element("canvas"));
  page.play(page.playing);
  globalThis.sinewPage = page; // for programs that drive it
  const loop = (now) => {
    try {
      page.advance(now);
      requestAnimationFrame(loop);
    } catch (error) {
      fail(error); // and stops
    }
  };
  if (page.settings.has("report")) page.report();
  requestAnimationFrame(loop);
}

main().catch(fail);
