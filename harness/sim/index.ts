/** Determinism without any part of Kubernetes: time, chance, order, and the trace of a run. */
export { atRandom, scripted } from './chooser.ts';
export { type Clock, formatMicroTime, formatTime, sleepOn } from './clock.ts';
export { type Effect, type Interference, Line } from './line.ts';
export { LocalClock } from './local-clock.ts';
export type {
  BareUpgrade,
  MessageSocket,
  Peer,
  Upgrade,
  UpgradeHandler,
  WebSocketUpgrade,
} from './message-socket.ts';
export { type Random, seededRandom } from './random.ts';
export { Simulation, START_MS } from './simulation.ts';
export { throughLine } from './through-line.ts';
export { Trace, type TraceEntry } from './trace.ts';
