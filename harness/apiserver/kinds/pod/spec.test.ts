import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { lines, podSpec } from './pod.fixture.ts';
import { validatePodSpec } from './spec.ts';

const check = (changes: Partial<core.PodSpec>) => lines(validatePodSpec(podSpec(changes), 'spec'));

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

describe('pod spec', () => {
  test('is valid with only a container', () => {
    expect(check({})).toEqual([]);
  });

  test('is invalid without its defaults', () => {
    const containers = podSpec().containers;
    expect(lines(validatePodSpec({ containers }, 'spec'))).toEqual([
      'spec.terminationGracePeriodSeconds: Required value',
      'spec.restartPolicy: Required value',
      'spec.dnsPolicy: Required value',
    ]);
  });

  test('rejects unknown policies', () => {
    expect(check({ restartPolicy: 'Maybe', dnsPolicy: 'Any', preemptionPolicy: 'All' })).toEqual([
      'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
      'spec.dnsPolicy: Unsupported value: "Any": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      'spec.preemptionPolicy: Unsupported value: "All": supported values: "PreemptLowerPriority", "Never"',
    ]);
  });

  test('refers to other objects by valid names', () => {
    expect(check({ nodeName: 'Node', hostname: 'a.b', runtimeClassName: '' })).toEqual([
      expect.stringMatching(/^spec\.nodeName: Invalid value: "Node": a lowercase RFC 1123 subdomain/),
      'spec.hostname: Invalid value: "a.b": must not contain dots',
      expect.stringMatching(/^spec\.runtimeClassName: Invalid value: "": a lowercase RFC 1123 subdomain/),
    ]);
  });

  test('shares no namespace and no block device with the host when it has its own user namespace', () => {
    const volumeDevices = [{ name: 'disk', devicePath: '/dev/x' }];
    const containers = [{ ...podSpec().containers[0], name: 'app', volumeDevices }];
    const detail = 'Forbidden: when `hostUsers` is false';
    expect(check({ hostUsers: false })).toEqual([]);
    expect(check({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true, containers })).toEqual([
      `spec.hostNetwork: ${detail}`,
      `spec.HostPID: ${detail}`,
      `spec.HostIPC: ${detail}`,
      `spec.containers[0].volumeDevices: ${detail}`,
    ]);
  });

  test('can expose all of /proc when it has its own user namespace', () => {
    const containers = [
      { ...podSpec().containers[0], name: 'app', securityContext: { procMount: 'Unmasked' } },
    ];
    expect(check({ containers, hostUsers: false })).toEqual([]);
    expect(check({ containers })).toEqual([
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ]);
  });

  test('can override its hostname with a valid name of at most 64 bytes', () => {
    expect(check({ hostnameOverride: 'a.b' })).toEqual([]);
    const hostnameOverride = `${'a'.repeat(63)}.b`;
    expect(check({ hostnameOverride, setHostnameAsFQDN: true, hostNetwork: true })).toEqual([
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      'spec.hostnameOverride: Too long: may not be more than 64 bytes',
    ]);
  });

  test('rejects unknown policies for groups and SELinux labels', () => {
    const securityContext = { supplementalGroupsPolicy: 'Strict', seLinuxChangePolicy: 'Recursive' };
    expect(check({ securityContext })).toEqual([]);
    const wrong = { supplementalGroupsPolicy: 'All', seLinuxChangePolicy: 'MountOption' };
    expect(check({ securityContext: wrong })).toEqual([
      'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "All": supported values: "Merge", "Strict"',
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ]);
  });

  test('accepts search domains with underscores, and the root', () => {
    expect(check({ dnsConfig: { searches: ['.', '_tcp.example.com', 'a_b.'] } })).toEqual([]);
    expect(check({ dnsConfig: { searches: ['A'] } })).toEqual([
      expect.stringMatching(
        /^spec\.dnsConfig\.searches\[0\]: Invalid value: "A": a lowercase RFC 1123 subdomain/,
      ),
    ]);
  });

  test('has an operating system with a known name', () => {
    expect(check({ os: { name: '' } })).toEqual(['spec.os.name: Required value']);
  });

  test('has a deadline of at least one second', () => {
    expect(check({ activeDeadlineSeconds: 0 })).toEqual([
      'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
    ]);
  });

  test('requires a DNS configuration with the policy None', () => {
    expect(check({ dnsPolicy: 'None' })).toEqual([
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ]);
    expect(
      check({ dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.10'], searches: ['svc.'] } }),
    ).toEqual([]);
    expect(check({ hostAliases: [{ ip: 'nowhere', hostnames: ['-'] }] })).toEqual([
      expect.stringMatching(
        /^spec\.hostAliases\[0\]\.ip: Invalid value: "nowhere": must be a valid IP address/,
      ),
      expect.stringMatching(/^spec\.hostAliases\[0\]\.hostnames\[0\]: Invalid value: "-"/),
    ]);
  });

  test('has scheduling gates and readiness gates with valid names', () => {
    expect(check({ schedulingGates: [{ name: 'a.io/g' }, { name: 'a.io/g' }] })).toEqual([
      'spec.schedulingGates[1]: Duplicate value: "a.io/g"',
    ]);
    expect(check({ readinessGates: [{ conditionType: 'a b' }] })).toEqual([
      expect.stringMatching(
        /^spec\.readinessGates\[0\]\.conditionType: Invalid value: "a b": name part must/,
      ),
    ]);
  });

  test('has an overhead of valid resources', () => {
    expect(check({ overhead: { cpu: '-1' } })).toEqual([
      'spec.overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });
});

describe('tolerations', () => {
  const checkOne = (toleration: core.Toleration) => check({ tolerations: [toleration] });
  const at = 'spec.tolerations[0]';

  test('reject a missing key unless the operator is Exists', () => {
    expect(checkOne({ operator: 'Exists' })).toEqual([]);
    expect(checkOne({ operator: 'Equal' })).toEqual([
      `${at}.operator: Invalid value: "Equal": operator must be Exists when \`key\` is empty, which means "match all values and all keys"`,
    ]);
  });

  test('have a value with Equal, and none with Exists', () => {
    expect(checkOne({ key: 'k', value: 'v' })).toEqual([]);
    expect(checkOne({ key: 'k', operator: 'Exists', value: 'v' })).toEqual([
      `${at}.operator: Invalid value: "v": value must be empty when \`operator\` is 'Exists'`,
    ]);
    expect(checkOne({ key: 'k', operator: 'Like' })).toEqual([
      `${at}.operator: Unsupported value: "Like": supported values: "Equal", "Exists"`,
    ]);
    // Upstream lists the operators of a server with the gate on.
    expect(checkOne({ key: 'k', operator: 'Gt' })).toEqual([
      `${at}.operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"`,
    ]);
  });

  test('limit the duration only with the effect NoExecute', () => {
    expect(checkOne({ key: 'k', effect: 'NoExecute', tolerationSeconds: 5 })).toEqual([]);
    expect(checkOne({ key: 'k', effect: 'NoSchedule', tolerationSeconds: 5 })).toEqual([
      `${at}.effect: Invalid value: "NoSchedule": effect must be 'NoExecute' when \`tolerationSeconds\` is set`,
    ]);
    expect(checkOne({ key: 'k', effect: 'Sometimes' })).toEqual([
      `${at}.effect: Unsupported value: "Sometimes": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
    ]);
  });
});

describe('affinity', () => {
  const nodeAffinity = (term: core.NodeSelectorTerm) =>
    check({ affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [term] } } } });
  const terms = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;

  test('to nodes requires a term', () => {
    expect(check({ affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [] } } } })).toEqual([
      `${terms}: Required value: must have at least one node selector term`,
    ]);
  });

  test('to nodes has the number of values that the operator requires', () => {
    expect(nodeAffinity({ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['3'] }] })).toEqual([]);
    const matchExpressions = [
      { key: 'cores', operator: 'Gt', values: ['3', '4'] },
      { key: 'zone', operator: 'In' },
      { key: 'zone', operator: 'Like', values: ['a'] },
    ];
    expect(nodeAffinity({ matchExpressions })).toEqual([
      `${terms}[0].matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      `${terms}[0].matchExpressions[1].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      `${terms}[0].matchExpressions[2].operator: Invalid value: "Like": not a valid selector operator`,
    ]);
  });

  test('to nodes supports one field', () => {
    expect(nodeAffinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] })).toEqual(
      [],
    );
    expect(nodeAffinity({ matchFields: [{ key: 'spec.x', operator: 'In', values: [] }] })).toEqual([
      `${terms}[0].matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
      `${terms}[0].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key`,
    ]);
  });

  test('to pods requires a topology key and a weight', () => {
    const podAffinity = { [PREFERRED]: [{ weight: 101, podAffinityTerm: { topologyKey: 'zone' } }] };
    const podAntiAffinity = { [REQUIRED]: [{ topologyKey: '', namespaces: ['A'] }] };
    expect(check({ affinity: { podAffinity, podAntiAffinity } })).toEqual([
      `spec.affinity.podAffinity.${PREFERRED}[0].weight: Invalid value: 101: must be in the range 1-100`,
      expect.stringMatching(
        /podAntiAffinity\.\w+\[0\]\.namespace: Invalid value: "A": a lowercase RFC 1123 label/,
      ),
      `spec.affinity.podAntiAffinity.${REQUIRED}[0].topologyKey: Required value: can not be empty`,
      expect.stringMatching(/\[0\]\.topologyKey: Invalid value: "": name part must be non-empty/),
      expect.stringMatching(/\[0\]\.topologyKey: Invalid value: "": name part must consist/),
    ]);
  });
});

describe('topology spread constraints', () => {
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
  const checkAll = (...constraints: core.TopologySpreadConstraint[]) =>
    check({ topologySpreadConstraints: constraints });
  const at = 'spec.topologySpreadConstraints[0]';

  test('require a skew and a topology key', () => {
    expect(checkAll(constraint)).toEqual([]);
    expect(checkAll({ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Wait' })).toEqual([
      `${at}.maxSkew: Invalid value: 0: must be greater than zero`,
      `${at}.topologyKey: Required value: can not be empty`,
      `${at}.whenUnsatisfiable: Unsupported value: "Wait": supported values: "DoNotSchedule", "ScheduleAnyway"`,
    ]);
  });

  test('are distinct', () => {
    expect(checkAll(constraint, { ...constraint, whenUnsatisfiable: 'ScheduleAnyway' })).toEqual([]);
    expect(checkAll(constraint, { ...constraint, maxSkew: 2 })).toEqual([
      `${at}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"`,
    ]);
  });

  test('have minDomains only with DoNotSchedule', () => {
    expect(checkAll({ ...constraint, minDomains: 2 })).toEqual([]);
    expect(checkAll({ ...constraint, minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' })).toEqual([
      `${at}.minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway`,
    ]);
  });

  test('reject unknown inclusion policies', () => {
    expect(checkAll({ ...constraint, nodeTaintsPolicy: 'Fear' })).toEqual([
      `${at}.nodeTaintsPolicy: Unsupported value: "Fear": supported values: "Honor", "Ignore"`,
    ]);
  });
});
