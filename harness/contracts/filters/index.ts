/**
 * What kata 31 is about, for the katas after it: does a toleration let a taint pass, does a node match a term, does a term match a pod.
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
