// The link of the page with the program that simulates (apps/viewer/link.h), over the WebSocket at the page's own
// address. A request is sent for each picture, once the last one has been answered.
export class Program {
  // `serves`: whether a program has served this page, as sinew.view(model, data, web=True) does.
  static serves = () => location.pathname.startsWith("/live/");

  constructor(engine, onEnd) {
    this.engine = engine;
    this.waiting = false;
    this.reply = null;
    this.socket = new WebSocket(`ws${location.protocol.slice(4)}//${location.host}${location.pathname}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({ data }) => (this.reply = new Float64Array(data));
    this.socket.onclose = () => onEnd(new Error("The program has closed this view, or has ended."));
  }

  // Shows what has come and asks for more; returns whether time stands still.
  exchange(paused) {
    if (this.reply) {
      paused = this.engine.take(this.reply, paused);
      this.reply = null;
      this.waiting = false;
    }
    if (!this.waiting && this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(this.engine.request(paused));
      this.waiting = true;
    }
    return paused;
  }
}
