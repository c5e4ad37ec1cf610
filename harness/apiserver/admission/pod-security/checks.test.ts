import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { formatViolations, type PodSecurityLevel, violationsOf } from './policy.ts';

/** A pod that every level allows. */
const SECURE: core.PodSpec = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    { name: 'c', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
  ],
};

/** Returns the secure pod with a changed security context of its container. */
const withContainer = (securityContext: object, rest: object = {}): core.PodSpec => ({
  ...SECURE,
  containers: [
    {
      ...rest,
      name: 'c',
      securityContext: { ...SECURE.containers?.[0]?.securityContext, ...securityContext },
    },
  ],
});

/** Returns the secure pod with a changed security context. */
const withPod = (securityContext: object, rest: object = {}): core.PodSpec => ({
  ...SECURE,
  ...rest,
  securityContext: { ...SECURE.securityContext, ...securityContext },
});

function violations(
  level: PodSecurityLevel,
  spec: core.PodSpec,
  { version = 'latest', annotations = {} }: { version?: string; annotations?: Record<string, string> } = {},
): string {
  return formatViolations(violationsOf({ level, version }, { metadata: { annotations }, spec }));
}

/** A violation of the level `baseline`, and so of `restricted`. */
const baseline: readonly (readonly [string, core.PodSpec, string])[] = [
  [
    'appArmorProfile',
    withContainer({ appArmorProfile: { type: 'Unconfined' } }),
    'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
  ],
  [
    'hostNamespaces',
    { ...SECURE, hostNetwork: true, hostIPC: true },
    'host namespaces (hostNetwork=true, hostIPC=true)',
  ],
  [
    'hostPorts',
    withContainer(
      {},
      {
        ports: [
          { containerPort: 1, hostPort: 8080 },
          { containerPort: 2, hostPort: 9090 },
        ],
      },
    ),
    'hostPort (container "c" uses hostPorts 8080, 9090)',
  ],
  [
    'hostProbesAndHostLifecycle',
    withContainer({}, { livenessProbe: { httpGet: { port: 80, host: '10.0.0.1' } } }),
    'probe or lifecycle host (container "c" uses probe or lifecycle host "10.0.0.1")',
  ],
  [
    'privileged',
    withContainer({ privileged: true }),
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    'procMount',
    withContainer({ procMount: 'Unmasked' }),
    'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  ],
  [
    'seLinuxOptions',
    withPod({ seLinuxOptions: { type: 'spc_t', user: 'root' } }),
    'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
  ],
  [
    'seccompProfile',
    withPod({ seccompProfile: { type: 'Unconfined' } }),
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'sysctls',
    withPod({ sysctls: [{ name: 'kernel.msgmax', value: '1' }] }),
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    'windowsHostProcess',
    withPod({ windowsOptions: { hostProcess: true } }),
    'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
];

/** A violation of the level `restricted` alone. */
const restricted: readonly (readonly [string, core.PodSpec, string])[] = [
  [
    'allowPrivilegeEscalation',
    withContainer({ allowPrivilegeEscalation: undefined }),
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  ],
  [
    'capabilities',
    withContainer({ capabilities: { add: ['CHOWN'] } }),
    'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    'restrictedVolumes',
    { ...SECURE, volumes: [{ name: 'v', nfs: { server: 'a', path: '/' } }] },
    'restricted volume types (volume "v" uses restricted volume type "nfs")',
  ],
  [
    'runAsNonRoot of a container',
    withContainer({ runAsNonRoot: false }),
    'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
  ],
  [
    'runAsNonRoot of nobody',
    withPod({ runAsNonRoot: undefined }),
    'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
  ],
  ['runAsUser', withContainer({ runAsUser: 0 }), 'runAsUser=0 (container "c" must not set runAsUser=0)'],
  [
    'seccompProfile of nobody',
    withPod({ seccompProfile: undefined }),
    'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
];

describe('The Pod Security Standards', () => {
  test('allow a secure pod at each level, and every pod at the level privileged', () => {
    expect([violations('baseline', SECURE), violations('restricted', SECURE)]).toEqual(['', '']);
    for (const [, spec] of [...baseline, ...restricted]) expect(violations('privileged', spec)).toBe('');
  });

  test.each(baseline)('reject at both levels: %s', (_, spec, message) => {
    expect(violations('baseline', spec)).toBe(message);
    expect(violations('restricted', spec)).toBe(message);
  });

  test.each(restricted)('reject at the level restricted: %s', (_, spec, message) => {
    expect(violations('baseline', spec)).toBe('');
    expect(violations('restricted', spec)).toBe(message);
  });

  test('replace checks of baseline by stricter ones of restricted', () => {
    const added = withContainer({ capabilities: { drop: ['ALL'], add: ['SYS_TIME'] } });
    expect(violations('baseline', added)).toBe(
      'non-default capabilities (container "c" must not include "SYS_TIME" in securityContext.capabilities.add)',
    );
    expect(violations('restricted', added)).toMatch(/^unrestricted capabilities \(/);
    const mounted = { ...SECURE, volumes: [{ name: 'v', hostPath: { path: '/' } }] };
    expect(violations('baseline', mounted)).toBe('hostPath volumes (volume "v")');
    expect(violations('restricted', mounted)).toMatch(/^restricted volume types \(/);
  });

  test('check every kind of container', () => {
    const privileged = { name: 'x', securityContext: { privileged: true } };
    for (const list of ['initContainers', 'ephemeralContainers'] as const)
      expect(violations('baseline', { ...SECURE, [list]: [privileged] })).toMatch(
        /^privileged \(container "x"/,
      );
  });

  test('list all violations, ordered by their checks', () => {
    const spec = { ...withContainer({ privileged: true, allowPrivilegeEscalation: true }), hostPID: true };
    expect(violations('restricted', spec)).toMatch(
      /^host namespaces .*, privileged .*, allowPrivilegeEscalation /,
    );
  });

  test.each([
    ['v1.33', baseline[3]?.[1]],
    ['v1.22', withPod({ runAsUser: 0 })],
    ['v1.7', withContainer({ allowPrivilegeEscalation: undefined, capabilities: undefined })],
  ] as const)('do not have newer checks in version %s', (version, spec) => {
    expect(violations('restricted', spec ?? SECURE, { version })).toBe('');
    expect(violations('restricted', spec ?? SECURE)).not.toBe('');
  });

  test('allow more sysctls from version to version', () => {
    const spec = withPod({ sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '1' }] });
    expect(violations('baseline', spec, { version: 'v1.31' })).toBe('forbidden sysctls (net.ipv4.tcp_rmem)');
    expect(violations('baseline', spec, { version: 'v1.32' })).toBe('');
  });

  test('count a version that does not exist yet as the latest', () => {
    expect(violations('baseline', baseline[3]?.[1] ?? SECURE, { version: 'v1.99' })).not.toBe('');
  });

  test('relax root for pods in a user namespace', () => {
    const spec = withContainer({ runAsUser: 0 }, {});
    expect(violations('restricted', { ...spec, hostUsers: false })).toBe('');
    expect(violations('restricted', { ...spec, hostUsers: false }, { version: 'v1.34' })).toMatch(
      /^runAsUser=0/,
    );
  });

  test('do not require settings of Linux from a pod for Windows', () => {
    const { seccompProfile: _, ...securityContext } = SECURE.securityContext ?? {};
    const spec = { os: { name: 'windows' }, securityContext, containers: [{ name: 'c' }] };
    expect(violations('restricted', spec)).toBe('');
  });

  test('read annotations for AppArmor, and before 1.19 for seccomp', () => {
    const appArmor = { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' };
    expect(violations('baseline', SECURE, { annotations: appArmor })).toBe(
      'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")',
    );
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    expect(violations('baseline', SECURE, { annotations, version: 'v1.18' })).toBe(
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    );
    expect(violations('baseline', SECURE, { annotations })).toBe('');
  });
});
