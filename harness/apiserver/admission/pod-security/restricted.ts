import type * as core from '#api/core/v1';
import { badSeccompProfiles, procMount } from './baseline.ts';
import {
  type Check,
  type CheckedPod,
  containersOf,
  hasOwnUsers,
  isForWindows,
  namesWhere,
  plural,
  quoted,
  sayContainers,
  sayWho,
  sorted,
  type Violation,
} from './check.ts';

function allowPrivilegeEscalation({ spec }: CheckedPod, minor: number): Violation | undefined {
  if (isForWindows(spec, minor)) return undefined;
  const names = namesWhere(
    spec,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  return names.length > 0
    ? {
        reason: 'allowPrivilegeEscalation != false',
        detail: `${sayContainers(names)} must set securityContext.allowPrivilegeEscalation=false`,
      }
    : undefined;
}

function capabilities({ spec }: CheckedPod, minor: number): Violation | undefined {
  if (isForWindows(spec, minor)) return undefined;
  const forbiddenIn = ({ securityContext }: core.Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = namesWhere(
    spec,
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  );
  const adding = namesWhere(spec, (container) => forbiddenIn(container).length > 0);
  const added = quoted(sorted(containersOf(spec).flatMap(forbiddenIn)));
  const details = [
    ...(keeping.length > 0
      ? [`${sayContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0
      ? [`${sayContainers(adding)} must not include ${added} in securityContext.capabilities.add`]
      : []),
  ];
  return details.length > 0 ? { reason: 'unrestricted capabilities', detail: details.join('; ') } : undefined;
}

const ALLOWED_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

function restrictedVolumes({ spec }: CheckedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !ALLOWED_VOLUMES.some((type) => volume[type]));
  const typeOf = (volume: core.Volume): string =>
    Object.entries(volume).find(([field, source]) => field !== 'name' && source)?.[0] ?? 'unknown';
  const names = bad.map(({ name }) => name);
  const types = sorted(bad.map(typeOf));
  const verb = names.length === 1 ? 'uses' : 'use';
  return bad.length > 0
    ? {
        reason: 'restricted volume types',
        detail: `${plural('volume', names)} ${quoted(names)} ${verb} ${plural('restricted volume type', types)} ${quoted(types)}`,
      }
    : undefined;
}

function runAsNonRoot({ spec }: CheckedPod, minor: number): Violation | undefined {
  if (hasOwnUsers(spec, minor)) return undefined;
  const own = spec.securityContext?.runAsNonRoot;
  const explicit = namesWhere(spec, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  const who = sayWho(own === false, explicit);
  const reason = 'runAsNonRoot != true';
  if (who) return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const implicit = namesWhere(spec, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (own === true || implicit.length === 0) return undefined;
  return { reason, detail: `pod or ${sayContainers(implicit)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser({ spec }: CheckedPod, minor: number): Violation | undefined {
  if (hasOwnUsers(spec, minor)) return undefined;
  const names = namesWhere(spec, ({ securityContext }) => securityContext?.runAsUser === 0);
  const who = sayWho(spec.securityContext?.runAsUser === 0, names);
  return who ? { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` } : undefined;
}

function seccompProfile(pod: CheckedPod, minor: number): Violation | undefined {
  const { spec } = pod;
  if (isForWindows(spec, minor)) return undefined;
  const bad = badSeccompProfiles(pod);
  if (bad || spec.securityContext?.seccompProfile) return bad;
  const names = namesWhere(spec, ({ securityContext }) => !securityContext?.seccompProfile);
  const profiles = '"RuntimeDefault" or "Localhost"';
  return names.length > 0
    ? {
        reason: 'seccompProfile',
        detail: `pod or ${sayContainers(names)} must set securityContext.seccompProfile.type to ${profiles}`,
      }
    : undefined;
}

/**
 * The checks that the level `restricted` adds, ordered by id, as the messages are.
 *
 * Upstream: kubernetes/pod-security-admission@v0.36.3 policy/checks.go DefaultChecks
 */
export const restrictedChecks: readonly Check[] = [
  { id: 'allowPrivilegeEscalation', since: 8, violation: allowPrivilegeEscalation },
  {
    id: 'capabilities_restricted',
    since: 22,
    overrides: 'capabilities_baseline',
    violation: capabilities,
  },
  { id: 'procMount_restricted', since: 35, overrides: 'procMount', violation: procMount },
  { id: 'restrictedVolumes', since: 0, overrides: 'hostPathVolumes', violation: restrictedVolumes },
  { id: 'runAsNonRoot', since: 0, violation: runAsNonRoot },
  { id: 'runAsUser', since: 23, violation: runAsUser },
  {
    id: 'seccompProfile_restricted',
    since: 19,
    overrides: 'seccompProfile_baseline',
    violation: seccompProfile,
  },
];
