import { describe, expect, test } from 'vitest';
import { type core, deployments, namespaces, type Pod, pods, serviceAccounts } from '#harness';
import { judgePod, newAdmission, policyOf, warningsAbout } from '#kata/14-admission/admission';
import { attributes, pod, stored, TestApiserver } from './context.fixture.ts';

const labelled = (labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
  );
const policy = (labels: Readonly<Record<string, string>>) => policyOf(labelled(labels));

const PRIVILEGED = { level: 'privileged', version: 'latest' } as const;
const secure: core.PodSpec = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    { name: 'c', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
  ],
};
const hostNetwork = { ...secure, hostNetwork: true };

describe('Level 9 ★ · PodSecurity', () => {
  test('policyOf without labels allows everything', () => {
    expect(policyOf(undefined)).toEqual({
      policy: { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED },
      causes: [],
    });
  });

  test('policyOf reads a level and a version for each mode', () => {
    const labels = {
      enforce: 'baseline',
      'enforce-version': 'v1.24',
      audit: 'restricted',
      warn: 'restricted',
    };
    expect(policy(labels).policy).toEqual({
      enforce: { level: 'baseline', version: 'v1.24' },
      audit: { level: 'restricted', version: 'latest' },
      warn: { level: 'restricted', version: 'latest' },
    });
  });

  test('policyOf warns at the enforced level, unless a label says otherwise', () => {
    const enforced = { enforce: 'baseline', 'enforce-version': 'v1.24' };
    expect(policy(enforced).policy.warn).toEqual({ level: 'baseline', version: 'v1.24' });
    expect(policy({ ...enforced, warn: 'privileged' }).policy.warn.level).toBe('privileged');
    expect(policy({ ...enforced, 'warn-version': 'v1.20' }).policy.warn).toEqual({
      level: 'baseline',
      version: 'v1.20',
    });
  });

  test.each([
    ['enforce', 'strict', 'restricted', 'must be one of privileged, baseline, restricted'],
    ['audit', 'strict', 'privileged', 'must be one of privileged, baseline, restricted'],
    ['warn', 'strict', 'privileged', 'must be one of privileged, baseline, restricted'],
  ] as const)('policyOf: %s: %s counts as %s', (mode, value, level, why) => {
    const { policy: read, causes } = policy({ [mode]: value });
    expect(read[mode].level).toBe(level);
    expect(causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: `metadata.labels[pod-security.kubernetes.io/${mode}]`,
        message: `Invalid value: "${value}": ${why}`,
      },
    ]);
  });

  test.each(['v1', 'v1.01', '1.24', 'v2.0', ''])('policyOf: the version %o counts as latest', (version) => {
    const { policy: read, causes } = policy({ enforce: 'baseline', 'enforce-version': version });
    expect([read.enforce.version, causes.length]).toEqual(['latest', 1]);
  });

  test('judgePod refuses a pod that violates the enforced level', () => {
    const { policy: enforced } = policy({ enforce: 'baseline' });
    expect(judgePod(enforced, pod(hostNetwork), 'pod')).toEqual({
      refusal: 'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    });
    expect(judgePod(enforced, pod(secure), 'pod')).toEqual({});
  });

  test('judgePod only warns about the template of a controller', () => {
    const { policy: enforced } = policy({ enforce: 'baseline' });
    expect(judgePod(enforced, pod(hostNetwork), 'template')).toEqual({
      warning: 'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    });
  });

  test('judgePod judges each mode by its own level', () => {
    const { policy: modes } = policy({ enforce: 'privileged', audit: 'baseline', warn: 'restricted' });
    const { refusal, audit, warning } = judgePod(modes, pod(hostNetwork), 'pod');
    expect(refusal).toBeUndefined();
    expect([audit, warning]).toEqual([
      expect.stringMatching(/^would violate PodSecurity "baseline:latest"/),
      expect.stringMatching(/^would violate PodSecurity "restricted:latest"/),
    ]);
  });

  test('warningsAbout groups pods by their violations', () => {
    const named = (name: string, spec: object): Pod => stored(pods, name, { spec });
    const all = [
      named('b', hostNetwork),
      named('c', { ...secure, hostPID: true }),
      named('a', hostNetwork),
      named('ok', secure),
    ];
    const privileged = named('p', { containers: [{ name: 'c', securityContext: { privileged: true } }] });
    expect(warningsAbout('ns', { level: 'baseline', version: 'latest' }, [privileged, ...all])).toEqual([
      'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
      'a (and 2 other pods): host namespaces',
      'p: privileged',
    ]);
    expect(warningsAbout('ns', { level: 'baseline', version: 'latest' }, [named('ok', secure)])).toEqual([]);
  });

  const namespace = (labels: Readonly<Record<string, string>>) =>
    stored(namespaces, 'ns', { metadata: { labels: labelled(labels) }, status: { phase: 'Active' } });
  const apiserver = (labels: Readonly<Record<string, string>>) =>
    new TestApiserver({ stored: [namespace(labels), stored(serviceAccounts, 'default')] });

  test('The apiserver refuses such a pod, and records the level for the audit log', async () => {
    const server = apiserver({ enforce: 'baseline' });
    const request = attributes({ object: pod({ ...hostNetwork, serviceAccountName: 'default' }) });
    const { error } = await server.outcome(() => newAdmission(server.context).validate(request));
    expect(error).toMatchObject({
      code: 403,
      message:
        'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    });
    expect(request.annotations).toMatchObject({
      'pod-security.kubernetes.io/enforce-policy': 'baseline:latest',
    });
  });

  test('The apiserver warns about the template of a Deployment', async () => {
    const server = apiserver({ enforce: 'baseline' });
    const object = stored(deployments, 'web', { spec: { template: { spec: hostNetwork } } });
    const request = attributes({ resource: deployments, object });
    await server.outcome(() => newAdmission(server.context).validate(request));
    expect(request.warnings).toEqual([
      'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    ]);
  });

  test('The apiserver refuses a new namespace with an invalid label', async () => {
    const server = apiserver({});
    const request = attributes({
      resource: namespaces,
      namespace: 'ns',
      object: namespace({ enforce: 'strict' }),
    });
    const { error } = await server.outcome(() => newAdmission(server.context).validate(request));
    expect(error).toMatchObject({ code: 422, reason: 'Invalid' });
  });
});
