/** Which nodes run a pod of a DaemonSet. */
import { type core, type DaemonSet, deepEqual, type Node, type Pod, sets } from '#harness';

/** The decision about a node. A node may keep a running pod without being eligible for a new one. */
export interface NodeDecision {
  /** Whether a new pod may start on the node. */
  readonly shouldRun: boolean;
  /** Whether a pod that runs on the node may stay. */
  readonly shouldContinueRunning: boolean;
}

/**
 * Returns a function that decides about nodes. Neither readiness nor resources of a node matter: the scheduler and the
 * kubelet decide about those. A new `NoSchedule` taint does not remove a running pod; a `NoExecute` taint does.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod, predicates
 */
export function nodeShouldRunDaemonPod({ spec }: DaemonSet): (node: Node) => NodeDecision {
  const podSpec = withDaemonTolerations(spec.template.spec);
  const { nodeName, tolerations = [] } = podSpec;
  const fitsAffinity = sets.requiredNodeAffinityMatcher({ spec: podSpec } as Pod);
  return (node) => {
    if ((nodeName && nodeName !== node.metadata.name) || !fitsAffinity(node)) {
      return { shouldRun: false, shouldContinueRunning: false };
    }
    const untolerated = (node.spec.taints ?? []).filter(
      (taint) => !tolerations.some((toleration) => sets.toleratesTaint(toleration, taint)),
    );
    const has = (effect: string): boolean => untolerated.some((taint) => taint.effect === effect);
    const shouldContinueRunning = !has('NoExecute');
    return { shouldRun: shouldContinueRunning && !has('NoSchedule'), shouldContinueRunning };
  };
}

/** The problems of a node that a daemon must survive, or may have to repair, and the effects of their taints. */
const SURVIVED = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
] as const;

/**
 * Adds the tolerations of every daemon pod. A toleration of the template for the same key and effect is replaced.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations
 */
export function withDaemonTolerations(spec: sets.PodTemplate['spec']): core.PodSpec {
  const podSpec = spec ?? { containers: [] };
  const problems = podSpec.hostNetwork
    ? [...SURVIVED, ['network-unavailable', 'NoSchedule'] as const]
    : SURVIVED;
  const tolerations = [...(podSpec.tolerations ?? [])];
  for (const [problem, effect] of problems) {
    const toleration = { key: `node.kubernetes.io/${problem}`, operator: 'Exists', effect };
    const at = tolerations.findIndex((each) => matches(each, toleration));
    if (at < 0) tolerations.push(toleration);
    else if (!deepEqual(tolerations[at], toleration)) tolerations[at] = toleration;
  }
  return { ...podSpec, tolerations };
}

/** Upstream: kubernetes/api@v0.36.3 core/v1/toleration.go MatchToleration */
function matches(a: core.Toleration, b: core.Toleration): boolean {
  return (
    (a.key ?? '') === (b.key ?? '') &&
    (a.effect ?? '') === (b.effect ?? '') &&
    (a.operator ?? '') === (b.operator ?? '') &&
    (a.value ?? '') === (b.value ?? '')
  );
}
