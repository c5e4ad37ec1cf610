/** Determinism without any part of Kubernetes: time, chance, order, and the trace of a run. */
export { atRandom, type Chooser, inOrder, scripted } from './chooser.ts';
export { type Clock, formatMicroTime, formatTime, sleepOn } from './clock.ts';
export { type Call, type Effect, type Interference, Line, type LineOptions } from './line.ts';
export { LocalClock } from './local-clock.ts';
export type {
  BareUpgrade,
  MessageSocket,
  Upgrade,
  UpgradeHandler,
  WebSocketUpgrade,
} from './message-socket.ts';
export { type Random, seededRandom } from './random.ts';
export { HotLoop, NeverSettled, type RunLimits, Simulation, type SimulationOptions } from './simulation.ts';
export { type Remote, type ThroughLineOptions, throughLine } from './through-line.ts';
export { Trace, type TraceEntry } from './trace.ts';
