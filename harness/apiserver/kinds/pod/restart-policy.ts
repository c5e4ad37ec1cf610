import type * as core from '#api/core/v1';
import {
  RESTART_ACTIONS as ACTIONS,
  RESTART_POLICIES as POLICIES,
  ruleMatches,
} from '../../../api/restart-policy.ts';
import type { Cause } from '../../../api/status.ts';
import { notSupported, required, tooMany } from '../../validation/field-error.ts';

/**
 * Does the first matching rule of a terminated container restart all containers of the pod?
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
      return (
        restartPolicyRules.find((rule) => ruleMatches(rule, exitCode))?.action === 'RestartAllContainers'
      );
    })
  );
}

/**
 * Does any container have a rule that restarts all containers?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go AllContainersCouldRestart
 */
export function restartsAllContainers({ containers, initContainers = [] }: core.PodSpec): boolean {
  return [...initContainers, ...(containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
}

/**
 * Validates the restart policy of a container and its rules, which require a policy.
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

const OPERATORS = ['In', 'NotIn'];
const RULES_MAX = 20;
const EXIT_CODES_MAX = 255;
