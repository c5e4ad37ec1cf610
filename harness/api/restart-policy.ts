import type * as core from '#api/core/v1';

/**
 * Returns whether a container that exited with `exitCode` is restarted. The first matching rule of the container
 * decides, then the container's policy, then the pod's. With `OnFailure` and without rules, exit code 1 restarts it,
 * and 0 does not.
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

/** Returns whether a container's rule matches an exit with `exitCode`. */
export function ruleMatches({ action, exitCodes }: core.ContainerRestartRule, exitCode: number): boolean {
  if (!exitCodes || !RESTART_ACTIONS.includes(action)) return false;
  const isListed = exitCodes.values?.includes(exitCode) ?? false;
  return exitCodes.operator === (isListed ? 'In' : 'NotIn');
}

/** The restart policies of pods and containers. Upstream: kubernetes/api@v0.36.3 core/v1/types.go RestartPolicy */
export const RESTART_POLICIES: readonly string[] = ['Always', 'Never', 'OnFailure'];

/** The actions of restart rules. Upstream: kubernetes/api@v0.36.3 core/v1/types.go ContainerRestartRuleAction */
export const RESTART_ACTIONS: readonly string[] = ['Restart', 'RestartAllContainers'];
