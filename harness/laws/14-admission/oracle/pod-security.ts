import type * as core from '#api/core/v1';
import type { Deployment, Namespace, Pod } from '../../../api/objects.ts';
import { groupResource } from '../../../api/resource.ts';
import type { Snapshot } from '../history.ts';

const ENFORCE = 'pod-security.kubernetes.io/enforce';
const WARN = 'pod-security.kubernetes.io/warn';

/** Returns whether a new pod, or the template of a controller, must cause a warning. */
export function mustWarn(
  { operation, subresource, resource, object }: Snapshot,
  namespace: Namespace | undefined,
): boolean {
  const labels = namespace?.metadata.labels ?? {};
  const level = labels[WARN] ?? labels[ENFORCE];
  const plural = groupResource(resource);
  const isTemplate = plural === 'deployments.apps';
  const isJudged =
    operation === 'CREATE' ? isTemplate || plural === 'pods' : operation === 'UPDATE' && isTemplate;
  if (!isJudged || subresource !== '' || !object) return false;
  const pod = isTemplate ? (object as Deployment).spec.template : (object as Pod);
  return violationOf(level, pod.spec as core.PodSpec, pod.metadata?.annotations) !== undefined;
}

/** Returns why the Pod Security Standard of a namespace forbids a new pod; undefined if it does not. */
export function violatesPodSecurity(
  { operation, subresource, resource, object }: Snapshot,
  namespace: Namespace | undefined,
): string | undefined {
  const level = namespace?.metadata.labels?.[ENFORCE];
  if (operation !== 'CREATE' || subresource !== '' || groupResource(resource) !== 'pods' || !object)
    return undefined;
  const { spec, metadata } = object as Pod;
  const found = violationOf(level, spec, metadata.annotations);
  return found === undefined ? undefined : `it violates ${level}: ${found}`;
}

function violationOf(
  level: string | undefined,
  spec: core.PodSpec,
  annotations: Readonly<Record<string, string>> = {},
): string | undefined {
  if (level !== 'baseline' && level !== 'restricted') return undefined;
  return baseline(spec, annotations) ?? (level === 'restricted' ? restricted(spec) : undefined);
}

const allOf = (spec: core.PodSpec): readonly core.Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...((spec.ephemeralContainers ?? []) as readonly core.Container[]),
];

const BASELINE_CAPABILITIES = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);
const SAFE_SYSCTLS = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
]);
const SELINUX_TYPES = new Set([
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
]);

function baseline(spec: core.PodSpec, annotations: Readonly<Record<string, string>>): string | undefined {
  const all = allOf(spec);
  const contexts = [spec.securityContext, ...all.map(({ securityContext }) => securityContext)];
  const some = (is: (context: core.SecurityContext) => unknown): boolean =>
    contexts.some((context) => context && is(context as core.SecurityContext));
  if (spec.hostNetwork || spec.hostPID || spec.hostIPC) return 'host namespaces';
  if (some(({ windowsOptions }) => windowsOptions?.hostProcess)) return 'hostProcess';
  if (some(({ privileged }) => privileged)) return 'privileged';
  if (some(({ capabilities }) => capabilities?.add?.some((each) => !BASELINE_CAPABILITIES.has(each)))) {
    return 'capabilities';
  }
  if (spec.volumes?.some(({ hostPath }) => hostPath)) return 'hostPath';
  if (all.some(({ ports }) => ports?.some(({ hostPort }) => hostPort))) return 'hostPort';
  if (some(({ appArmorProfile }) => appArmorProfile?.type === 'Unconfined')) return 'appArmorProfile';
  const profiles = Object.entries(annotations).filter(([key]) =>
    key.startsWith('container.apparmor.security.beta.kubernetes.io/'),
  );
  if (
    profiles.some(
      ([, value]) => value !== '' && value !== 'runtime/default' && !value.startsWith('localhost/'),
    )
  ) {
    return 'AppArmor annotation';
  }
  const isForeign = ({ type = '', user = '', role = '' }: core.SELinuxOptions): boolean =>
    !SELINUX_TYPES.has(type) || user !== '' || role !== '';
  if (some(({ seLinuxOptions }) => seLinuxOptions && isForeign(seLinuxOptions))) return 'seLinuxOptions';
  if (some(({ procMount }) => procMount !== undefined && procMount !== 'Default')) return 'procMount';
  if (some(({ seccompProfile }) => seccompProfile?.type === 'Unconfined')) return 'seccompProfile';
  if (spec.securityContext?.sysctls?.some(({ name }) => !SAFE_SYSCTLS.has(name))) return 'sysctls';
  const hosts = all.flatMap(({ livenessProbe, readinessProbe, startupProbe, lifecycle }) =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(
      (handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host],
    ),
  );
  return hosts.some(Boolean) ? 'host of a probe' : undefined;
}

const RESTRICTED_VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

function restricted(spec: core.PodSpec): string | undefined {
  const all = allOf(spec);
  const pod = spec.securityContext;
  const types = (spec.volumes ?? []).flatMap(({ name: _, ...source }) => Object.keys(source));
  if (types.some((type) => !RESTRICTED_VOLUMES.has(type))) return 'volume types';
  if (all.some(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false)) {
    return 'allowPrivilegeEscalation';
  }
  const isRoot = (own: boolean | undefined): boolean => !(own ?? pod?.runAsNonRoot ?? false);
  if (pod?.runAsNonRoot === false) return 'runAsNonRoot';
  if (all.some(({ securityContext }) => isRoot(securityContext?.runAsNonRoot))) return 'runAsNonRoot';
  if (pod?.runAsUser === 0 || all.some(({ securityContext }) => securityContext?.runAsUser === 0))
    return 'runAsUser';
  const isConfined = (profile: core.SeccompProfile | undefined): boolean =>
    profile?.type === 'RuntimeDefault' || profile?.type === 'Localhost';
  if (
    all.some(({ securityContext }) => !isConfined(securityContext?.seccompProfile ?? pod?.seccompProfile))
  ) {
    return 'seccompProfile';
  }
  const drops = ({ securityContext }: core.Container): boolean =>
    securityContext?.capabilities?.drop?.includes('ALL') === true;
  const adds = ({ securityContext }: core.Container): boolean =>
    securityContext?.capabilities?.add?.some((each) => each !== 'NET_BIND_SERVICE') === true;
  return all.every(drops) && !all.some(adds) ? undefined : 'capabilities';
}
