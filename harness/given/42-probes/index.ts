/** `#given/42-probes`: the parts of the harness that only this kata uses. */
// From Level 3 on: the request of an HTTP probe; `isRedirect`, `redirected` and `sendGet` serve Level 12.
export { getURL, isRedirect, type ProbeRedirect, redirected, sendGet } from '../../kubelet/prober/get.ts';
// From Level 1 on: one probe, its target and its answer.
export {
  type ProbeAnswer,
  type Probed,
  type ProbeTarget,
  type ProbeTools,
  portOf,
  probeHeaders,
  timeoutMsOf,
} from '../../kubelet/prober/one-probe.ts';
// Levels 11 and 12: texts of failures.
export { sayHealthError, urlOf } from '../../kubelet/prober/probe-texts.ts';
// From Level 4 on: a tick of a worker; `ProbeWorkerOptions` from Level 8 on.
export {
  containerStatusOf,
  hasSurvived,
  nothingSeen,
  type ProbeSight,
  type ProbeState,
  type ProbeTick,
  type ProbeWorkerOptions,
} from '../../kubelet/prober/probe-worker.ts';
