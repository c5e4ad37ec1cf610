/**
 * Checks from kata 31 for later katas: whether a toleration tolerates a taint, a node matches a term, and a term
 * matches a pod.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1
 */
export {
  countPodsMatchSelector,
  nodeSelectorTermMatcher,
  requiredNodeAffinityMatcher,
  termMatches,
  toleratesTaint,
} from './matching.ts';
