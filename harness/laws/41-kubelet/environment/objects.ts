import type * as core from '#api/core/v1';
import type { New, Pod, Secret } from '../../../api/objects.ts';
import {
  type ContainerPlan,
  FOREIGN,
  NAMESPACE,
  NODE,
  type PodIndex,
  type PodPlan,
  type ProbePlan,
} from '../scenario/index.ts';
import { ADDRESS, PORT, stopCommand } from '../simulation/programs.ts';
import { ACCOUNT, PRIVATE_HOST } from '../simulation/registries.ts';

/** Returns the name of the pods with this index. */
export function podName(index: PodIndex): string {
  return `pod-${index}`;
}

/**
 * Returns a pod as a user creates it, already bound to the node.
 *
 * @param keyOf returns the key of a container's program
 */
export function newPod(index: PodIndex, plan: PodPlan, keyOf: (container: string) => string): New<Pod> {
  const { restartPolicy, inits, containers, graceSeconds, activeDeadlineSeconds, volume, gate, hostNetwork } =
    plan;
  const { hasPullSecret } = plan;
  const toContainer = (each: ContainerPlan) => newContainer(each, keyOf(each.name), volume ?? false);
  return {
    metadata: { namespace: NAMESPACE, name: podName(index) },
    spec: {
      nodeName: NODE,
      restartPolicy,
      containers: containers.map(toContainer),
      ...(inits.length > 0 ? { initContainers: inits.map(toContainer) } : {}),
      ...(graceSeconds === undefined ? {} : { terminationGracePeriodSeconds: graceSeconds }),
      ...(activeDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds }),
      ...(gate ? { readinessGates: [{ conditionType: FOREIGN }] } : {}),
      ...(hostNetwork ? { hostNetwork } : {}),
      ...(hasPullSecret ? { imagePullSecrets: [{ name: PULL_SECRET }] } : {}),
      ...(volume ? { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }] } : {}),
    },
  };
}

const PULL_SECRET = 'team';

/** Returns the secret that the private image needs. */
export function newPullSecret(): New<Secret> {
  const config = JSON.stringify({ auths: { [PRIVATE_HOST]: ACCOUNT } });
  return {
    metadata: { namespace: NAMESPACE, name: PULL_SECRET },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
  };
}

function newContainer(plan: ContainerPlan, key: string, volume: boolean): core.Container {
  const { name, image, restartPolicy, rules, preStopSeconds, hasStopCommand, knowsAddress, probes } = plan;
  return {
    name,
    image,
    args: [key],
    resources: { limits: { memory: '64Mi' } },
    ...(volume ? { volumeMounts: [{ name: 'data', mountPath: '/data' }] } : {}),
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
    ...(rules
      ? {
          restartPolicyRules: rules.map((exitCodes) => ({
            action: 'Restart',
            exitCodes: { ...exitCodes, values: [...exitCodes.values] },
          })),
        }
      : {}),
    ...(preStopSeconds === undefined
      ? {}
      : { lifecycle: { preStop: { sleep: { seconds: preStopSeconds } } } }),
    ...(hasStopCommand ? { lifecycle: { preStop: { exec: { command: stopCommand(key) } } } } : {}),
    ...(knowsAddress
      ? { env: [{ name: ADDRESS, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } }] }
      : {}),
    ...(probes ? probesOf(probes) : {}),
  };
}

function probesOf({ liveness, readiness, startup }: ProbePlan): Partial<core.Container> {
  const probe = { tcpSocket: { port: PORT }, periodSeconds: 2, failureThreshold: 2, timeoutSeconds: 1 };
  return {
    ...(liveness ? { livenessProbe: probe } : {}),
    ...(readiness ? { readinessProbe: probe } : {}),
    ...(startup ? { startupProbe: { ...probe, failureThreshold: 5 } } : {}),
  };
}
