// Plots of sensors over the last seconds of simulated time, by uPlot.
import uPlot from "uplot";
import style from "uplot/dist/uPlot.min.css";

const SECONDS = 5; // that a plot shows
const MOST_POINTS = 1000;
const COLORS = ["#7fb3ff", "#ffb36b", "#8fe08f", "#ff8f8f", "#c9a6ff", "#e6e07a"];
const WIDTH = 226, HEIGHT = 110; // of a plot, pixels

export class Plots {
  // `sensors`: their names; `read(i)`: the numbers of one; `parent`: the element to which plots are added.
  constructor(sensors, read, parent) {
    Object.assign(this, { sensors, read, parent });
    this.shown = new Map();
    document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  }

  // Shows the plot of a sensor, or takes it away.
  toggle(sensor) {
    if (this.shown.has(sensor)) {
      this.shown.get(sensor).plot.destroy();
      this.shown.delete(sensor);
      return;
    }
    const size = this.read(sensor).length;
    const lines = { stroke: "#444", width: 1 };
    const axis = { stroke: "#aaa", grid: lines, ticks: lines, font: "10px sans-serif" };
    const series = Array.from({ length: size }, (_, i) => ({ stroke: COLORS[i % COLORS.length], width: 1.5 }));
    const options = {
      title: this.sensors[sensor], width: WIDTH, height: HEIGHT, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false } }, axes: [{ ...axis, size: 22 }, { ...axis, size: 42 }], series: [{}, ...series],
    };
    const data = Array.from({ length: size + 1 }, () => []);
    this.shown.set(sensor, { data, plot: new uPlot(options, data, this.parent) });
  }

  // Adds a point to each plot; after a reset they begin anew.
  add(time) {
    for (const [sensor, { data, plot }] of this.shown) {
      const times = data[0];
      if (times.at(-1) === time) continue;
      if (times.at(-1) > time) data.forEach((row) => (row.length = 0));
      [time, ...this.read(sensor)].forEach((value, i) => data[i].push(value));
      while (times.length > MOST_POINTS || times[0] < time - SECONDS) data.forEach((row) => row.shift());
      plot.setData(data);
    }
  }
}
