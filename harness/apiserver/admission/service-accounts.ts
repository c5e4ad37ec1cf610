import type * as core from '#api/core/v1';
import { generateName } from '../../api/names.ts';
import type { Pod, ServiceAccount } from '../../api/objects.ts';
import { pods, serviceAccounts } from '../../api/resource.ts';
import { errors, isNotFound } from '../../api/status.ts';
import type { AdmissionAttributes, AdmissionContext } from '../../contracts/admission/index.ts';
import { forbidden, isAbout, type Plugin } from './plugin.ts';
import { hasSecrets, hasTokenVolume, mountableViolation } from './pod-references.ts';

/** The beginning of the name of the volume with a pod's token. */
export const TOKEN_VOLUME_PREFIX = 'kube-api-access-';

/** The directory in each container with the token, the CA of the API and the namespace. */
export const TOKEN_MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

const MIRROR = 'kubernetes.io/config.mirror';
const DEFAULT = 'default';

/**
 * Returns the volume with the token of a pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/serviceaccount/admission.go TokenVolumeSource
 */
export function tokenVolume(name: string): core.Volume {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  };
}

/** Mounts the token of a service account into a pod. `volumeName` is the name for a new volume. */
export type WithToken = (pod: Pod, account: ServiceAccount, volumeName: string) => Pod;

/**
 * The plugin ServiceAccount: finds the service account of a new pod, and checks which secrets the pod may use.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/serviceaccount/admission.go Plugin
 */
export function serviceAccountPlugin(context: AdmissionContext, withToken: WithToken): Plugin {
  return {
    name: 'ServiceAccount',
    operations: ['CREATE', 'UPDATE'],
    async admit(attributes) {
      const { object, operation } = attributes;
      if (!isAbout(attributes, pods) || operation !== 'CREATE') return object;
      const pod = object as Pod;
      if (isMirror(pod)) {
        checkMirror(attributes, pod);
        return pod;
      }
      const account = await accountOf(context, attributes, pod.spec.serviceAccountName || DEFAULT);
      const volumeName = generateName(TOKEN_VOLUME_PREFIX, () => context.random.float());
      const completed = withToken(withAccount(pod, account), account, volumeName);
      checkSecrets(attributes, completed, account);
      return completed;
    },
    async validate(attributes) {
      const isNew = isAbout(attributes, pods) && attributes.operation === 'CREATE';
      if (!isNew && !isAbout(attributes, pods, 'ephemeralcontainers')) return;
      const pod = attributes.object as Pod;
      if (isNew && isMirror(pod)) return checkMirror(attributes, pod);
      const { metadata, spec } = pod;
      if (!spec.serviceAccountName) {
        throw forbidden(
          attributes,
          `no service account specified for pod ${attributes.namespace}/${metadata.name ?? ''}`,
        );
      }
      checkSecrets(attributes, pod, await accountOf(context, attributes, spec.serviceAccountName));
    },
  };
}

/** Names the account in a pod. A pod without pull secrets gets those of the account. */
function withAccount(pod: Pod, { metadata: { name }, imagePullSecrets = [] }: ServiceAccount): Pod {
  const lacksSecrets = !pod.spec.imagePullSecrets?.length && imagePullSecrets.length > 0;
  const spec = { ...pod.spec, serviceAccountName: name, serviceAccount: name };
  return { ...pod, spec: lacksSecrets ? { ...spec, imagePullSecrets: [...imagePullSecrets] } : spec };
}

const isMirror = ({ metadata }: Pod): boolean => Object.hasOwn(metadata.annotations ?? {}, MIRROR);

function checkMirror(attributes: AdmissionAttributes, { spec }: Pod): void {
  const why = spec.serviceAccountName
    ? 'a mirror pod may not reference service accounts'
    : hasSecrets(spec)
      ? 'a mirror pod may not reference secrets'
      : hasTokenVolume(spec)
        ? 'a mirror pod may not use ServiceAccountToken volume projections'
        : undefined;
  if (why) throw forbidden(attributes, why);
}

/** A service account can limit the secrets of its pods. Upstream: Plugin.enforceMountableSecrets */
function checkSecrets(attributes: AdmissionAttributes, pod: Pod, account: ServiceAccount): void {
  const isLimited = account.metadata.annotations?.['kubernetes.io/enforce-mountable-secrets'];
  if (!isLimited || !/^(?:1|t|T|true|TRUE|True)$/.test(isLimited)) return;
  const why = mountableViolation(pod.spec, account, attributes.subresource === 'ephemeralcontainers');
  if (why) throw forbidden(attributes, why);
}

/** The account `default` can be on its way: a controller creates it with the namespace. */
const ATTEMPTS_FOR_DEFAULT = 10;

/** Returns a service account from the cache, else from the storage. Upstream: Plugin.getServiceAccount */
async function accountOf(
  { cache, client, clock, random }: AdmissionContext,
  attributes: AdmissionAttributes,
  name: string,
): Promise<ServiceAccount> {
  const key = { namespace: attributes.namespace, name };
  const cached = cache.get(serviceAccounts, key);
  if (cached) return cached;
  const attempts = name === DEFAULT ? ATTEMPTS_FOR_DEFAULT : 1;
  const pauseMs = 100 + random.int(100);
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.get(serviceAccounts, key);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (attempt === attempts) break;
    }
    await clock.sleep(pauseMs);
  }
  const { message } = errors.notFound({ group: '', plural: 'serviceaccount' }, name);
  throw forbidden(attributes, `error looking up service account ${key.namespace}/${name}: ${message}`);
}
