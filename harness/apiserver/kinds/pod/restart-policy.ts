import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { notSupported, required, tooMany } from '../../validation/field-error.ts';

/**
 * Is a container to be restarted that ended with `exitCode`? The first of its own rules that matches says so; then its own
 * policy; then the pod's.
 *
 * When containers are restarted: the pod's policy, a container's own, and its rules by exit code.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go ContainerShouldRestart
 */
export function shouldRestart(
  { restartPolicy, restartPolicyRules = [] }: core.Container,
  pod: core.PodSpec,
  exitCode: number,
): boolean {
  if (restartPolicy && restartPolicyRules.some((rule) => matches(rule, exitCode))) return true;
  const policy = POLICIES.includes(restartPolicy ?? '') ? restartPolicy : pod.restartPolicy;
  if (policy === 'Never') return false;
  return policy !== 'OnFailure' || exitCode !== 0;
}

/**
 * Are all containers of the pod to begin anew, since one of them ended in a way for which its first rule that matches says so?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/helpers.go ShouldAllContainersRestart
 */
export function shouldAllContainersRestart(
  { containers = [], initContainers = [] }: core.PodSpec,
  { conditions = [], initContainerStatuses = [], containerStatuses = [] }: core.PodStatus = {},
): boolean {
  const isRestarting = conditions.some(
    ({ type, status }) => type === 'AllContainersRestarting' && status === 'True',
  );
  const ended = new Map(
    [...initContainerStatuses, ...containerStatuses].map(({ name, state }) => [name, state?.terminated]),
  );
  return (
    isRestarting ||
    [...initContainers, ...containers].some(({ name, restartPolicyRules = [] }) => {
      const exitCode = ended.get(name)?.exitCode;
      if (exitCode === undefined) return false;
      return restartPolicyRules.find((rule) => matches(rule, exitCode))?.action === 'RestartAllContainers';
    })
  );
}

function matches({ action, exitCodes }: core.ContainerRestartRule, exitCode: number): boolean {
  if (!exitCodes || !ACTIONS.includes(action)) return false;
  const isListed = exitCodes.values?.includes(exitCode) ?? false;
  return exitCodes.operator === (isListed ? 'In' : 'NotIn');
}

/**
 * Does a rule of any container restart them all?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go AllContainersCouldRestart
 */
export function restartsAllContainers({ containers, initContainers = [] }: core.PodSpec): boolean {
  return [...initContainers, ...(containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
}

/**
 * A container's own policy and its rules, which need a policy beside them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateContainerRestartPolicy,
 * validateInitContainerRestartPolicy
 */
export function validateContainerRestartPolicy(container: core.Container, path: string): Cause[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const causes: Cause[] = [];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return [];
    causes.push(required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  } else if (!POLICIES.includes(restartPolicy)) {
    causes.push(notSupported(`${path}.restartPolicy`, restartPolicy, POLICIES));
  }
  if (rules.length > RULES_MAX) {
    causes.push(tooMany(`${path}.restartPolicyRules`, rules.length, RULES_MAX));
  }
  return [...causes, ...rules.flatMap((rule, i) => validateRule(rule, `${path}.restartPolicyRules[${i}]`))];
}

function validateRule({ action, exitCodes }: core.ContainerRestartRule, path: string): Cause[] {
  const causes = ACTIONS.includes(action) ? [] : [notSupported(`${path}.action`, action ?? '', ACTIONS)];
  if (!exitCodes) return [...causes, required(`${path}.exitCodes`, 'must be specified')];
  const { operator, values = [] } = exitCodes;
  if (!OPERATORS.includes(operator)) {
    causes.push(notSupported(`${path}.exitCodes.operator`, operator ?? '', OPERATORS));
  }
  if (values.length > EXIT_CODES_MAX) {
    causes.push(tooMany(`${path}.exitCodes.values`, values.length, EXIT_CODES_MAX));
  }
  return causes;
}

const POLICIES = ['Always', 'Never', 'OnFailure'];
const ACTIONS = ['Restart', 'RestartAllContainers'];
const OPERATORS = ['In', 'NotIn'];
const RULES_MAX = 20;
const EXIT_CODES_MAX = 255;
