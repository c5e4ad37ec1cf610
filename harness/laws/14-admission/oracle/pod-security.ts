import type * as core from '#api/core/v1';
import type { Deployment, Namespace, Pod } from '../../../api/objects.ts';
import { groupResource } from '../../../api/resource.ts';
import type { Snapshot } from '../history.ts';
import type { Labels } from '../scenario/index.ts';

const PREFIX = 'pod-security.kubernetes.io/';
const LEVELS = ['privileged', 'baseline', 'restricted'];
const isLevel = (text: string): boolean => LEVELS.includes(text);
const isVersion = (text: string): boolean => text === 'latest' || /^v1\.\d+$/.test(text);

/** A level and its version: `baseline:latest`. */
interface Standard {
  readonly level: string;
  readonly version: string;
}

const nameOfStandard = ({ level, version }: Standard): string => `${level}:${version}`;

/** Returns the standard that a namespace enforces. A typing error means the strictest one. */
function enforcedBy(labels: Labels): Standard {
  const level = labels[`${PREFIX}enforce`] ?? 'privileged';
  return { level: isLevel(level) ? level : 'restricted', version: versionOf(labels, 'enforce') };
}

/** Returns the standard for the audit log, or for warnings. A typing error means none. */
function namedBy(labels: Labels, mode: 'audit' | 'warn'): Standard {
  const level = labels[PREFIX + mode] ?? 'privileged';
  return { level: isLevel(level) ? level : 'privileged', version: versionOf(labels, mode) };
}

function versionOf(labels: Labels, mode: string): string {
  const version = labels[`${PREFIX}${mode}-version`] ?? 'latest';
  return isVersion(version) ? version : 'latest';
}

/** Returns the standard for warnings: an enforced one warns, too, unless another is named. */
function warnedBy(labels: Labels): Standard {
  const { [`${PREFIX}enforce`]: enforced = '', [`${PREFIX}warn`]: warned } = labels;
  if (warned !== undefined || !isLevel(enforced)) return namedBy(labels, 'warn');
  const own = labels[`${PREFIX}warn-version`] === undefined ? 'enforce' : 'warn';
  return { level: enforced, version: versionOf(labels, own) };
}

/** The texts that a pod, or the template of a controller, must cause. Each is the beginning of its text. */
export interface SecurityTexts {
  readonly refusal?: string;
  readonly audit?: string;
  readonly warning?: string;
  /** The broken rule. */
  readonly why?: string;
}

/** Returns the texts that a request must cause, by the labels of its namespace. */
export function securityTexts(
  { operation, subresource, resource, object }: Snapshot,
  namespace: Namespace | undefined,
): SecurityTexts {
  const labels = namespace?.metadata.labels ?? {};
  const plural = groupResource(resource);
  const isTemplate = plural === 'deployments.apps';
  const isJudged =
    operation === 'CREATE' ? isTemplate || plural === 'pods' : operation === 'UPDATE' && isTemplate;
  if (!isJudged || subresource !== '' || !object) return {};
  const pod = isTemplate ? (object as Deployment).spec.template : (object as Pod);
  const broken = ({ level }: Standard): string | undefined =>
    violationOf(level, pod.spec as core.PodSpec, pod.metadata?.annotations);
  const text = (verb: string, standard: Standard): string =>
    `${verb} PodSecurity "${nameOfStandard(standard)}": `;
  const [enforced, audited, warned] = [enforcedBy(labels), namedBy(labels, 'audit'), warnedBy(labels)];
  const why = isTemplate ? undefined : broken(enforced);
  return {
    ...(why ? { refusal: text('violates', enforced), why } : {}),
    ...(broken(audited) ? { audit: text('would violate', audited) } : {}),
    ...(!why && broken(warned) ? { warning: text('would violate', warned) } : {}),
  };
}

/** Returns whether a write of a namespace brings a new typing error in its labels. */
export function hasNewTypingError({ operation, object, oldObject }: Snapshot): boolean {
  const wrong = wrongLabels(object?.metadata.labels ?? {});
  const before = operation === 'UPDATE' ? wrongLabels(oldObject?.metadata.labels ?? {}) : '';
  return wrong !== '' && wrong !== before;
}

const wrongLabels = (labels: Labels): string =>
  ['enforce', 'audit', 'warn']
    .flatMap((mode) => [
      ...(isLevel(labels[PREFIX + mode] ?? 'privileged') ? [] : [`${mode}=${labels[PREFIX + mode]}`]),
      ...(isVersion(labels[`${PREFIX}${mode}-version`] ?? 'latest')
        ? []
        : [`${mode}-version=${labels[`${PREFIX}${mode}-version`]}`]),
    ])
    .join();

/** Returns the beginning of the warning about existing pods that an update of a namespace must cause. */
export function warningAboutPods(
  { operation, object, oldObject, name }: Snapshot,
  pods: readonly Pod[],
): string | undefined {
  if (operation !== 'UPDATE') return undefined;
  const next = enforcedBy(object?.metadata.labels ?? {});
  const old = enforcedBy(oldObject?.metadata.labels ?? {});
  const isStricter = next.version !== old.version || LEVELS.indexOf(next.level) > LEVELS.indexOf(old.level);
  const isBroken = pods.some(({ spec, metadata }) => violationOf(next.level, spec, metadata.annotations));
  if (next.level === 'privileged' || !isStricter || !isBroken) return undefined;
  return `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${nameOfStandard(next)}"`;
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
