import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { container, lines, podSpec } from './pod.fixture.ts';
import { validatePodSpec } from './spec.ts';

const check = (changes: Partial<core.PodSpec>) => lines(validatePodSpec(podSpec(changes), 'spec'));
const checkContainer = (changes: Partial<core.Container>) => check({ containers: [container(changes)] });
const checkInit = (changes: Partial<core.Container>) =>
  check({ initContainers: [container({ name: 'init', ...changes })] });

const at = 'spec.containers[0]';

describe('containers', () => {
  test('require at least one', () => {
    expect(check({ containers: [] })).toEqual(['spec.containers: Required value']);
  });

  test('require a name and an image', () => {
    expect(checkContainer({ name: '', image: '' })).toEqual([
      `${at}.name: Required value`,
      `${at}.image: Required value`,
    ]);
    expect(checkContainer({ name: 'a.b' })).toEqual([
      `${at}.name: Invalid value: "a.b": must not contain dots`,
    ]);
  });

  test('have distinct names, including init containers', () => {
    const [a, b] = [container(), container()];
    expect(check({ containers: [a, b] })).toEqual(['spec.containers[1].name: Duplicate value: "app"']);
    expect(checkInit({ name: 'app' })).toEqual(['spec.initContainers[0].name: Duplicate value: "app"']);
  });

  test('reject unknown policies', () => {
    expect(checkContainer({ imagePullPolicy: 'Sometimes', terminationMessagePolicy: 'Log' })).toEqual([
      `${at}.terminationMessagePolicy: Unsupported value: "Log": supported values: "File", "FallbackToLogsOnError"`,
      `${at}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`,
    ]);
  });

  test('can have their own restart policy, with rules', () => {
    const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [42] } };
    expect(checkContainer({ restartPolicy: 'Never', restartPolicyRules: [rule] })).toEqual([]);
    expect(checkContainer({ restartPolicyRules: [rule] })).toEqual([
      `${at}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`,
    ]);
    expect(checkContainer({ restartPolicy: 'Maybe' })).toEqual([
      `${at}.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "Never", "OnFailure"`,
    ]);
    const wrong = { action: 'Wait', exitCodes: { operator: 'Is', values: Array(256).fill(1) } };
    expect(checkContainer({ restartPolicy: 'Never', restartPolicyRules: [wrong] })).toEqual([
      `${at}.restartPolicyRules[0].action: Unsupported value: "Wait": supported values: "Restart", "RestartAllContainers"`,
      `${at}.restartPolicyRules[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`,
      `${at}.restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items`,
    ]);
    const many = Array(21).fill(rule);
    many[20] = { action: 'Restart' };
    expect(checkContainer({ restartPolicy: 'Never', restartPolicyRules: many })).toEqual([
      `${at}.restartPolicyRules: Too many: 21: must have at most 20 items`,
      `${at}.restartPolicyRules[20].exitCodes: Required value: must be specified`,
    ]);
  });

  test('can list the resources whose resize restarts them', () => {
    const policy = (resourceName: string, restartPolicy: string) => ({ resourceName, restartPolicy });
    expect(checkContainer({ resizePolicy: [policy('cpu', 'RestartContainer')] })).toEqual([]);
    expect(
      checkContainer({
        resizePolicy: [policy('cpu', 'NotRequired'), policy('cpu', 'Maybe'), policy('', '')],
      }),
    ).toEqual([
      `${at}.resizePolicy[1]: Duplicate value: "cpu"`,
      `${at}.resizePolicy: Unsupported value: "Maybe": supported values: "NotRequired", "RestartContainer"`,
      `${at}.resizePolicy: Required value`,
      `${at}.resizePolicy: Required value`,
    ]);
    const once = [container({ resizePolicy: [policy('cpu', 'RestartContainer')] })];
    expect(check({ containers: once, restartPolicy: 'Never' })).toEqual([
      `${at}.resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when pod \`restartPolicy\` is 'Never'`,
    ]);
    expect(checkInit({ resizePolicy: [policy('cpu', 'RestartContainer')] })).toEqual([
      `spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
    ]);
  });
});

describe('init containers', () => {
  const readinessProbe = { tcpSocket: { port: 80 } };

  test('reject probes', () => {
    expect(checkInit({ readinessProbe })).toEqual([
      'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ]);
  });

  test('accept probes if they are sidecars', () => {
    expect(checkInit({ readinessProbe, restartPolicy: 'Always' })).toEqual([]);
    expect(checkInit({ restartPolicy: 'OnFailure' })).toEqual([]);
  });
});

describe('ephemeral containers', () => {
  const checkEphemeral = (changes: Partial<core.EphemeralContainer>) =>
    check({ ephemeralContainers: [{ ...container({ name: 'debug' }), ...changes }] });

  test('can target a container of the pod', () => {
    expect(checkEphemeral({ targetContainerName: 'app' })).toEqual([]);
    expect(checkEphemeral({ targetContainerName: 'db' })).toEqual([
      'spec.ephemeralContainers[0].targetContainerName: Not found: "db"',
    ]);
  });

  test('reject ports and resources', () => {
    const changes = { ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } };
    expect(checkEphemeral(changes)).toEqual([
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container',
    ]);
    expect(checkEphemeral({ resources: {} })).toEqual([]);
  });
});

describe('ports', () => {
  test('require a number and a protocol, and have distinct names', () => {
    const ports = [
      { name: 'http', containerPort: 80 },
      { name: 'http', containerPort: 81 },
      { name: '80', containerPort: 70000 },
      { containerPort: 0, protocol: 'ICMP' },
    ];
    expect(checkContainer({ ports })).toEqual([
      `${at}.ports[1].name: Duplicate value: "http"`,
      `${at}.ports[2].name: Invalid value: "80": must contain at least one letter (a-z)`,
      `${at}.ports[2].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
      `${at}.ports[3].containerPort: Required value`,
      `${at}.ports[3].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"`,
    ]);
  });

  test('reject a duplicate host port, except with another protocol', () => {
    const ports = [
      { containerPort: 80, hostPort: 8080 },
      { containerPort: 80, hostPort: 8080, protocol: 'UDP' },
      { containerPort: 81, hostPort: 8080 },
    ];
    expect(checkContainer({ ports })).toEqual([`${at}.ports[2].hostPort: Duplicate value: "TCP//8080"`]);
  });

  test('equal the host ports on the host network', () => {
    const spec = podSpec({
      hostNetwork: true,
      containers: [container({ ports: [{ containerPort: 80, hostPort: 81 }] })],
    });
    const expected = [
      `${at}.ports[0].hostPort: Invalid value: 81: must match \`containerPort\` when \`hostNetwork\` is true`,
    ];
    expect(lines(validatePodSpec(spec, 'spec'))).toEqual(expected);
    expect(lines(validatePodSpec(spec, 'spec', { inPod: true }))).toEqual(expected);
  });
});

describe('probes and hooks', () => {
  test('have exactly one handler', () => {
    const readinessProbe = { tcpSocket: { port: 80 }, exec: { command: ['true'] } };
    expect(checkContainer({ readinessProbe })).toEqual([
      `${at}.readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`,
    ]);
    expect(checkContainer({ readinessProbe: {} })).toEqual([
      `${at}.readinessProbe: Required value: must specify a handler type`,
    ]);
  });

  test('refer to a port by number or name', () => {
    expect(checkContainer({ readinessProbe: { tcpSocket: { port: 'http' } } })).toEqual([]);
    expect(checkContainer({ readinessProbe: { httpGet: { port: 0, scheme: 'FTP' } } })).toEqual([
      `${at}.readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
      `${at}.readinessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
    ]);
  });

  test('limit successThreshold to readiness, and grace periods to the other probes', () => {
    const probe = { tcpSocket: { port: 80 }, successThreshold: 2, terminationGracePeriodSeconds: 5 };
    expect(checkContainer({ livenessProbe: probe, readinessProbe: probe, startupProbe: probe })).toEqual([
      `${at}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
      `${at}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes`,
      `${at}.startupProbe.successThreshold: Invalid value: 2: must be 1`,
    ]);
  });

  test('reject negative times', () => {
    expect(checkContainer({ readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: -1 } })).toEqual([
      `${at}.readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
    ]);
  });

  test('sleep no longer than the grace period', () => {
    const lifecycle = (seconds: number) => ({ preStop: { sleep: { seconds } } });
    expect(checkContainer({ lifecycle: lifecycle(0) })).toEqual([]);
    expect(checkContainer({ lifecycle: lifecycle(30) })).toEqual([]);
    expect(checkContainer({ lifecycle: lifecycle(31) })).toEqual([
      `${at}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
    ]);
  });
});

describe('environment', () => {
  const checkEnv = (variable: Partial<core.EnvVar>) => checkContainer({ env: [{ name: 'A', ...variable }] });

  test('has names of printable characters', () => {
    expect(checkEnv({ name: '' })).toEqual([`${at}.env[0].name: Required value`]);
    expect(checkEnv({ name: '1 A' })).toEqual([]);
    expect(checkEnv({ name: 'A=' })).toEqual([
      `${at}.env[0].name: Invalid value: "A=": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ]);
  });

  test('can come from a file in an emptyDir volume', () => {
    const fileKeyRef = { volumeName: 'env', path: 'app/.env', key: 'KEY' };
    const containers = [container({ env: [{ name: 'A', valueFrom: { fileKeyRef } }] })];
    expect(check({ containers, volumes: [{ name: 'env', emptyDir: {} }] })).toEqual([]);
    const path = `${at}.env[0].valueFrom.fileKeyRef`;
    expect(check({ containers })).toEqual([`${path}.volumeName: Not found: "env"`]);
    expect(check({ containers, volumes: [{ name: 'env', hostPath: { path: '/' } }] })).toEqual([
      `${path}.volumeName: Invalid value: "env": referenced volume must be of type emptyDir`,
    ]);
    const wrong = { volumeName: '', path: '../a', key: 'a=' };
    expect(checkEnv({ valueFrom: { fileKeyRef: wrong } })).toEqual([
      expect.stringContaining(`${path}.key: Invalid value: "a=": a valid environment variable name must`),
      `${path}.volumeName: Required value`,
      `${path}.path: Invalid value: "../a": must not contain '..'`,
      `${path}.volumeName: Not found: ""`,
    ]);
  });

  test('takes a value from only one source', () => {
    const fieldRef = { fieldPath: 'metadata.name' };
    const configMapKeyRef = { name: 'c', key: 'k' };
    expect(checkEnv({ valueFrom: { fieldRef } })).toEqual([]);
    expect(checkEnv({ valueFrom: {} })).toEqual([
      `${at}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
    ]);
    expect(checkEnv({ value: 'x', valueFrom: { fieldRef } })).toEqual([
      `${at}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
    ]);
    expect(checkEnv({ valueFrom: { fieldRef, configMapKeyRef } })).toEqual([
      `${at}.env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time`,
    ]);
  });

  test.each([
    ["metadata.labels['app']", undefined],
    ["metadata.annotations['Example.com/x']", undefined],
    [
      'metadata.labels',
      'Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
    ],
    [
      'spec.containers',
      'Invalid value: "spec.containers": error converting fieldPath: field label not supported: spec.containers',
    ],
    ...["a[']", "['a']", "a['b'"].map((each): [string, string] => [
      each,
      `Invalid value: "${each}": error converting fieldPath: field label not supported: ${each}`,
    ]),
    [
      "a['b']['c']",
      `Invalid value: "a['b']['c']": error converting fieldPath: field label does not support subscript: a['b']['c']`,
    ],
  ])('reads the field %s: %s', (fieldPath, message) => {
    const expected = message ? [`${at}.env[0].valueFrom.fieldRef.fieldPath: ${message}`] : [];
    expect(checkEnv({ valueFrom: { fieldRef: { fieldPath } } })).toEqual(expected);
  });

  test('reads resources with a matching divisor', () => {
    const read = (resource: string, divisor: string) =>
      checkEnv({ valueFrom: { resourceFieldRef: { resource, divisor } } });
    expect(read('limits.cpu', '1m')).toEqual([]);
    expect(read('limits.cpu', '1Mi')).toEqual([
      `${at}.env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
    ]);
  });

  test('imports all keys of one ConfigMap or Secret', () => {
    expect(checkContainer({ envFrom: [{ configMapRef: { name: 'c' } }] })).toEqual([]);
    expect(checkContainer({ envFrom: [{}] })).toEqual([
      `${at}.envFrom: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``,
    ]);
  });
});

describe('security context', () => {
  test('rejects contradictory settings', () => {
    const securityContext = { privileged: true, allowPrivilegeEscalation: false };
    expect(checkContainer({ securityContext })).toEqual([
      `${at}.securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
    ]);
  });

  test('accepts only valid Linux IDs', () => {
    expect(check({ securityContext: { runAsUser: -1 } })).toEqual([
      'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ]);
  });

  test('has a localhost seccomp profile only with the type Localhost', () => {
    expect(checkContainer({ securityContext: { seccompProfile: { type: 'Localhost' } } })).toEqual([
      `${at}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`,
    ]);
  });
});
