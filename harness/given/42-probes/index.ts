/** `#given/42-probes`: the parts of the harness that only this kata uses. */
export { getURL, isRedirect, type ProbeRedirect, redirected, sendGet } from '../../kubelet/prober/get.ts';
export {
  type ProbeAnswer,
  type Probed,
  type ProbeTarget,
  type ProbeTools,
  portOf,
  probeHeaders,
  timeoutMsOf,
} from '../../kubelet/prober/one-probe.ts';
export { sayHealthError, urlOf } from '../../kubelet/prober/probe-texts.ts';
export {
  containerStatusOf,
  hasSurvived,
  nothingSeen,
  type ProbeSight,
  type ProbeState,
  type ProbeTick,
  type ProbeWorkerOptions,
} from '../../kubelet/prober/probe-worker.ts';
