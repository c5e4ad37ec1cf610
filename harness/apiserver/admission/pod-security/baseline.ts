import type * as core from '#api/core/v1';
import {
  type Check,
  type CheckedPod,
  containersOf,
  hasOwnUsers,
  namesWhere,
  plural,
  quoted,
  sayContainers,
  sayWho,
  sorted,
  type Violation,
} from './check.ts';

const allowedProfile = (type: string | undefined): boolean =>
  type === 'RuntimeDefault' || type === 'Localhost';

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

function appArmorProfile({ metadata, spec }: CheckedPod): Violation | undefined {
  const own = spec.securityContext?.appArmorProfile;
  const isPodBad = own !== undefined && !allowedProfile(own.type);
  const bad = containersOf(spec).filter(({ securityContext }) => {
    const profile = securityContext?.appArmorProfile;
    return profile !== undefined && !allowedProfile(profile.type);
  });
  const types = [...(isPodBad ? [own] : []), ...bad.map((each) => each.securityContext?.appArmorProfile)];
  const annotations = Object.entries(metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(APP_ARMOR) && !/^$|^runtime\/default$|^localhost\//.test(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const values = [...sorted(types.map((profile) => profile?.type ?? '')), ...annotations];
  const who = [
    sayWho(
      isPodBad,
      bad.map(({ name }) => name),
    ),
    annotations.length > 0 ? plural('annotation', annotations) : '',
  ].filter(Boolean);
  return who.length > 0
    ? {
        reason: plural('forbidden AppArmor profile', values),
        detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
      }
    : undefined;
}

const DEFAULT_CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

function capabilities({ spec }: CheckedPod): Violation | undefined {
  const forbiddenIn = ({ securityContext }: core.Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !DEFAULT_CAPABILITIES.has(name));
  const names = namesWhere(spec, (container) => forbiddenIn(container).length > 0);
  const added = sorted(containersOf(spec).flatMap(forbiddenIn));
  return names.length > 0
    ? {
        reason: 'non-default capabilities',
        detail: `${sayContainers(names)} must not include ${quoted(added)} in securityContext.capabilities.add`,
      }
    : undefined;
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]);
  return shared.length > 0
    ? { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') }
    : undefined;
}

function hostPathVolumes({ spec }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return names.length > 0
    ? { reason: 'hostPath volumes', detail: `${plural('volume', names)} ${quoted(names)}` }
    : undefined;
}

function hostPorts({ spec }: CheckedPod): Violation | undefined {
  const portsOf = ({ ports = [] }: core.Container): string[] =>
    ports.flatMap(({ hostPort }) => (hostPort ? [`${hostPort}`] : []));
  const names = namesWhere(spec, (container) => portsOf(container).length > 0);
  const ports = sorted(containersOf(spec).flatMap(portsOf));
  const verb = names.length === 1 ? 'uses' : 'use';
  return names.length > 0
    ? {
        reason: 'hostPort',
        detail: `${sayContainers(names)} ${verb} ${plural('hostPort', ports)} ${ports.join(', ')}`,
      }
    : undefined;
}

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: core.Container): string[] {
  return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
    .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .flatMap((host) => (host ? [host] : []));
}

function hostProbes({ spec }: CheckedPod): Violation | undefined {
  const names = sorted(namesWhere(spec, (container) => hostsOf(container).length > 0));
  const hosts = sorted(containersOf(spec).flatMap(hostsOf));
  const verb = names.length === 1 ? 'uses' : 'use';
  return names.length > 0
    ? {
        reason: 'probe or lifecycle host',
        detail: `${sayContainers(names)} ${verb} ${plural('probe or lifecycle host', hosts)} ${quoted(hosts)}`,
      }
    : undefined;
}

function privileged({ spec }: CheckedPod): Violation | undefined {
  const names = namesWhere(spec, ({ securityContext }) => securityContext?.privileged === true);
  return names.length > 0
    ? { reason: 'privileged', detail: `${sayContainers(names)} must not set securityContext.privileged=true` }
    : undefined;
}

/** Rejects every `procMount` but the default one. The level `restricted` has it, too. */
export function procMount({ spec }: CheckedPod): Violation | undefined {
  const mountOf = ({ securityContext }: core.Container): string => securityContext?.procMount ?? 'Default';
  const bad = containersOf(spec).filter((container) => mountOf(container) !== 'Default');
  const names = bad.map(({ name }) => name);
  return bad.length > 0
    ? {
        reason: 'procMount',
        detail: `${sayContainers(names)} must not set securityContext.procMount to ${quoted(sorted(bad.map(mountOf)))}`,
      }
    : undefined;
}

const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

function seLinuxOptions({ spec }: CheckedPod, minor: number): Violation | undefined {
  const allowed = minor >= 31 ? [...SELINUX_TYPES, 'container_engine_t'] : SELINUX_TYPES;
  const isBad = (options: core.SELinuxOptions | undefined): boolean =>
    options !== undefined &&
    (!allowed.includes(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
  const own = spec.securityContext?.seLinuxOptions;
  const names = namesWhere(spec, ({ securityContext }) => isBad(securityContext?.seLinuxOptions));
  const who = sayWho(isBad(own), names);
  if (!who) return undefined;
  const all = [own, ...containersOf(spec).map((each) => each.securityContext?.seLinuxOptions)];
  const types = sorted(all.map((options) => options?.type ?? '').filter((type) => !allowed.includes(type)));
  const what = [
    ...(types.length > 0 ? [`${plural('type', types)} ${quoted(types)}`] : []),
    ...(all.some((options) => options?.user) ? ['user may not be set'] : []),
    ...(all.some((options) => options?.role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`,
  };
}

/** Rejects seccomp profiles that are set to a bad value. The level `restricted` begins with it. */
export function badSeccompProfiles({ spec }: CheckedPod): Violation | undefined {
  const isBad = (profile: core.SeccompProfile | undefined): boolean =>
    profile !== undefined && !allowedProfile(profile.type);
  const own = spec.securityContext?.seccompProfile;
  const bad = containersOf(spec).filter(({ securityContext }) => isBad(securityContext?.seccompProfile));
  const profiles = [...(isBad(own) ? [own] : []), ...bad.map((each) => each.securityContext?.seccompProfile)];
  const who = sayWho(
    isBad(own),
    bad.map(({ name }) => name),
  );
  const types = quoted(sorted(profiles.map((profile) => profile?.type ?? '')));
  return who
    ? {
        reason: 'seccompProfile',
        detail: `${who} must not set securityContext.seccompProfile.type to ${types}`,
      }
    : undefined;
}

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before 1.19 the profiles were annotations. */
function seccompAnnotations({ metadata, spec }: CheckedPod): Violation | undefined {
  const annotations = metadata.annotations ?? {};
  const keys = [SECCOMP, ...containersOf(spec).map(({ name }) => SECCOMP_CONTAINER + name)];
  const bad = sorted(
    keys
      .filter((key) => Object.hasOwn(annotations, key))
      .map((key) => [key, annotations[key] ?? ''] as const)
      .filter(([, value]) => !/^(?:runtime|docker)\/default$|^localhost\//.test(value))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`),
  );
  return bad.length > 0
    ? { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', bad)} ${bad.join(', ')}` }
    : undefined;
}

/** The allowed sysctls, with the minor version that added them. */
const SYSCTLS: ReadonlyMap<string, number> = new Map([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
]);

function sysctls({ spec }: CheckedPod, minor: number): Violation | undefined {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
  const bad = names.filter((name) => (SYSCTLS.get(name) ?? Infinity) > minor);
  return bad.length > 0 ? { reason: 'forbidden sysctls', detail: bad.join(', ') } : undefined;
}

function windowsHostProcess({ spec }: CheckedPod): Violation | undefined {
  const isBad = (options: core.WindowsSecurityContextOptions | undefined): boolean =>
    options?.hostProcess === true;
  const names = namesWhere(spec, ({ securityContext }) => isBad(securityContext?.windowsOptions));
  const who = sayWho(isBad(spec.securityContext?.windowsOptions), names);
  return who
    ? { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` }
    : undefined;
}

/**
 * The checks of the level `baseline`, ordered by id, as the messages are.
 *
 * Upstream: kubernetes/pod-security-admission@v0.36.3 policy/checks.go DefaultChecks
 */
export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', since: 0, violation: appArmorProfile },
  { id: 'capabilities_baseline', since: 0, violation: capabilities },
  { id: 'hostNamespaces', since: 0, violation: hostNamespaces },
  { id: 'hostPathVolumes', since: 0, violation: hostPathVolumes },
  { id: 'hostPorts', since: 0, violation: hostPorts },
  { id: 'hostProbesAndHostLifecycle', since: 34, violation: hostProbes },
  { id: 'privileged', since: 0, violation: privileged },
  {
    id: 'procMount',
    since: 0,
    violation: (pod, minor) => (hasOwnUsers(pod.spec, minor) ? undefined : procMount(pod)),
  },
  { id: 'seLinuxOptions', since: 0, violation: seLinuxOptions },
  {
    id: 'seccompProfile_baseline',
    since: 0,
    violation: (pod, minor) => (minor >= 19 ? badSeccompProfiles(pod) : seccompAnnotations(pod)),
  },
  { id: 'sysctls', since: 0, violation: sysctls },
  { id: 'windowsHostProcess', since: 0, violation: windowsHostProcess },
];
