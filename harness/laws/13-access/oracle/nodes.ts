import type { PersistentVolume, Pod } from '../../../api/objects.ts';
import { persistentVolumes, pods } from '../../../api/resource.ts';
import { clusterRoleRules } from '../../../cluster/bootstrap-policy/cluster-roles.ts';
import { policyRules } from '../../../cluster/bootstrap-policy/rules.ts';
import type { Attributes } from '../../../contracts/access/index.ts';
import { ALWAYS, type Chance, either, matches, NEVER } from './rights.ts';
import type { Window, World } from './world.ts';

const STATIC = policyRules(clusterRoleRules['system:node'] ?? []);

const always = (condition: boolean): Chance => (condition ? ALWAYS : NEVER);

/** Returns whether the Node authorizer allows a request. */
export function allowedToNode(world: World, asked: Attributes, window: Window): Chance {
  const { user, verb, apiGroup, resource, subresource, namespace, name, fieldSelector = '' } = asked;
  const prefix = 'system:node:';
  if (!user.groups.includes('system:nodes') || !user.name.startsWith(prefix)) return NEVER;
  const node = user.name.slice(prefix.length);
  if (node === '') return NEVER;
  const on = (uses: (pod: Pod) => boolean): Chance => usedOn(world, node, uses, window);
  const of = (uses: (pod: Pod) => boolean): Chance => on((pod) => !isMirror(pod) && uses(pod));
  const reads = ['get', 'list', 'watch'].includes(verb);
  const isWhole = subresource === '';
  switch (asked.isResourceRequest ? `${resource}.${apiGroup}` : '') {
    case 'secrets.':
    case 'configmaps.': {
      if (!reads || !isWhole || namespace === '' || name === '') return NEVER;
      const direct = of((pod) => pod.metadata.namespace === namespace && refersTo(pod, resource, name));
      return resource === 'secrets'
        ? either(direct, byVolume(world, node, { namespace, name }, window))
        : direct;
    }
    case 'persistentvolumeclaims.':
      if (subresource === 'status' ? !['update', 'patch'].includes(verb) : verb !== 'get' || !isWhole)
        return NEVER;
      return name === '' ? NEVER : of((pod) => claims(pod, namespace, name));
    case 'persistentvolumes.':
      return verb === 'get' && isWhole ? volumeOn(world, node, name, window) : NEVER;
    case 'serviceaccounts.':
      if (verb !== 'create' || subresource !== 'token' || name === '') return serviceAccountRead(asked, of);
      return of((pod) => pod.metadata.namespace === namespace && pod.spec.serviceAccountName === name);
    case 'leases.coordination.k8s.io':
      return always(
        ['get', 'create', 'update', 'patch', 'delete'].includes(verb) &&
          namespace === 'kube-node-lease' &&
          (verb === 'create' || name === node),
      );
    case 'nodes.':
      if (isWhole) return always(['create', 'update', 'patch'].includes(verb) || (reads && name === node));
      return always(subresource === 'status' && ['update', 'patch'].includes(verb));
    case 'pods.':
      return onPods();
    default:
      return always(STATIC.some((rule) => matches(rule, asked)));
  }

  function onPods(): Chance {
    const one = () => on((pod) => pod.metadata.namespace === namespace && pod.metadata.name === name);
    if (subresource === 'status') return always(['update', 'patch'].includes(verb));
    if (subresource === 'eviction') return always(verb === 'create');
    if (!isWhole) return NEVER;
    if (verb === 'create' || verb === 'delete') return ALWAYS;
    if (verb === 'get') return one();
    if (verb !== 'list' && verb !== 'watch') return NEVER;
    return fieldSelector.split(',').includes(`spec.nodeName=${node}`) ? ALWAYS : one();
  }
}

/** An account itself is read by its name alone. */
function serviceAccountRead(
  { verb, subresource, namespace, name }: Attributes,
  of: (uses: (pod: Pod) => boolean) => Chance,
): Chance {
  if (verb !== 'get' || subresource !== '' || name === '') return NEVER;
  return of((pod) => pod.metadata.namespace === namespace && pod.spec.serviceAccountName === name);
}

/** Returns whether the node itself created the pod, with references that it chose. */
function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

/** Returns whether some pod on a node uses an object. */
function usedOn(world: World, node: string, uses: (pod: Pod) => boolean, window: Window): Chance {
  const isUser = (pod: Pod | undefined): boolean =>
    pod !== undefined && pod.spec.nodeName === node && uses(pod);
  let possible = false;
  for (const states of world.allStates(pods, window)) {
    possible ||= states.some(isUser);
    if (states.every(isUser)) return ALWAYS;
  }
  return { possible, certain: false };
}

function claims({ metadata, spec }: Pod, namespace: string, name: string): boolean {
  return (
    metadata.namespace === namespace &&
    (spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name)
  );
}

/** Returns whether a volume is bound to the claim of a pod on a node. */
function volumeOn(world: World, node: string, name: string, window: Window): Chance {
  const states = world.states(persistentVolumes, { name }, window);
  const chances = states.map((volume) => (volume ? claimOn(world, node, volume, window) : NEVER));
  return {
    possible: chances.some(({ possible }) => possible),
    certain: chances.every(({ certain }) => certain),
  };
}

function claimOn(
  world: World,
  node: string,
  { spec: { claimRef } }: PersistentVolume,
  window: Window,
): Chance {
  const { namespace = '', name } = claimRef ?? {};
  if (name === undefined) return NEVER;
  return usedOn(world, node, (pod) => !isMirror(pod) && claims(pod, namespace, name), window);
}

/** Returns whether the driver of such a volume needs a secret. */
function byVolume(
  world: World,
  node: string,
  secret: { namespace: string; name: string },
  window: Window,
): Chance {
  let found = NEVER;
  for (const states of world.allStates(persistentVolumes, window)) {
    const chances = states.map((volume) => {
      const ref = volume?.spec.csi?.nodePublishSecretRef;
      const needs = ref?.namespace === secret.namespace && ref?.name === secret.name;
      return volume && needs ? claimOn(world, node, volume, window) : NEVER;
    });
    found = either(found, {
      possible: chances.some(({ possible }) => possible),
      certain: chances.every(({ certain }) => certain),
    });
  }
  return found;
}

/** Returns whether a pod refers to a Secret or a ConfigMap, in any of the fields for that. */
function refersTo({ spec }: Pod, resource: 'secrets' | 'configmaps' | string, name: string): boolean {
  const isSecret = resource === 'secrets';
  const containers = [
    ...(spec.containers ?? []),
    ...(spec.initContainers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  const found = [
    ...containers.flatMap(({ env, envFrom }) => [
      ...(env ?? []).map(
        ({ valueFrom }) => (isSecret ? valueFrom?.secretKeyRef : valueFrom?.configMapKeyRef)?.name,
      ),
      ...(envFrom ?? []).map(({ secretRef, configMapRef }) => (isSecret ? secretRef : configMapRef)?.name),
    ]),
    ...(isSecret ? (spec.imagePullSecrets ?? []).map((each) => each.name) : []),
    ...(spec.volumes ?? []).flatMap(({ secret, configMap, projected }) => [
      isSecret ? secret?.secretName : configMap?.name,
      ...(projected?.sources ?? []).map((source) => (isSecret ? source.secret : source.configMap)?.name),
    ]),
  ];
  return found.includes(name);
}
