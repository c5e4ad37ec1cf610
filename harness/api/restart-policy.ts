import type * as core from '#api/core/v1';

/**
 * Is a container to be restarted that ended with `exitCode`? The first of its own rules that matches says so; then its own
 * policy; then the pod's.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go ContainerShouldRestart
 */
export function shouldRestart(
  { restartPolicy, restartPolicyRules = [] }: core.Container,
  pod: core.PodSpec,
  exitCode: number,
): boolean {
  if (restartPolicy && restartPolicyRules.some((rule) => ruleMatches(rule, exitCode))) return true;
  const policy = RESTART_POLICIES.includes(restartPolicy ?? '') ? restartPolicy : pod.restartPolicy;
  if (policy === 'Never') return false;
  return policy !== 'OnFailure' || exitCode !== 0;
}

/** Does a rule of a container speak of one that has ended with `exitCode`? */
export function ruleMatches({ action, exitCodes }: core.ContainerRestartRule, exitCode: number): boolean {
  if (!exitCodes || !RESTART_ACTIONS.includes(action)) return false;
  const isListed = exitCodes.values?.includes(exitCode) ?? false;
  return exitCodes.operator === (isListed ? 'In' : 'NotIn');
}

/** What the policy of a pod or a container may be. Upstream: kubernetes/api@v0.36.3 core/v1/types.go RestartPolicy */
export const RESTART_POLICIES: readonly string[] = ['Always', 'Never', 'OnFailure'];

/** What a rule may do. Upstream: kubernetes/api@v0.36.3 core/v1/types.go ContainerRestartRuleAction */
export const RESTART_ACTIONS: readonly string[] = ['Restart', 'RestartAllContainers'];
