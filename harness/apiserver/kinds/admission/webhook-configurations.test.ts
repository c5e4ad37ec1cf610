import { describe, expect, test } from 'vitest';
import { refused, refusedUpdate, sampleOf } from '../declared.fixture.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from './webhook-configurations.ts';

const hook = 'webhooks.0';
const at = 'webhooks[0]';
const rule = `${hook}.rules.0`;
const atRule = `${at}.rules[0]`;
const resources = (...names: string[]) => ({ [`${rule}.resources`]: names });

describe('ValidatingWebhookConfiguration', () => {
  test('fails, matches equivalent requests in all scopes and waits ten seconds by default', () => {
    const changes = {
      [`${hook}.failurePolicy`]: undefined,
      [`${hook}.timeoutSeconds`]: undefined,
      [`${hook}.objectSelector`]: undefined,
      [`${hook}.clientConfig`]: { service: { namespace: 'policy', name: 'images' } },
    };
    expect(sampleOf(validatingWebhookConfiguration, changes).webhooks?.[0]).toMatchObject({
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      rules: [{ scope: '*' }],
      clientConfig: { service: { port: 443 } },
    });
    expect(sampleOf(validatingWebhookConfiguration).webhooks?.[0]).not.toHaveProperty('reinvocationPolicy');
  });

  test.each([
    [{ [`${hook}.name`]: '' }, `${at}.name: Required value`],
    [
      { [`${hook}.name`]: 'images.example' },
      `${at}.name: Invalid value: "images.example": should be a domain with at least three segments separated by dots`,
    ],
    [
      { [`${hook}.failurePolicy`]: 'Maybe' },
      `${at}.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"`,
    ],
    [
      { [`${hook}.matchPolicy`]: 'Loose' },
      `${at}.matchPolicy: Unsupported value: "Loose": supported values: "Equivalent", "Exact"`,
    ],
    [
      { [`${hook}.sideEffects`]: undefined },
      `${at}.sideEffects: Required value: must specify one of None, NoneOnDryRun`,
    ],
    [
      { [`${hook}.sideEffects`]: 'Some' },
      `${at}.sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"`,
    ],
    [
      { [`${hook}.timeoutSeconds`]: 31 },
      `${at}.timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds`,
    ],
    [
      { [`${hook}.namespaceSelector`]: { matchLabels: { env: 'a b' } } },
      expect.stringMatching(/^webhooks\[0\]\.namespaceSelector\.matchLabels: Invalid value: "a b"/),
    ],
    [
      { [`${hook}.admissionReviewVersions`]: [] },
      `${at}.admissionReviewVersions: Required value: must specify one of v1, v1beta1`,
    ],
    [
      { [`${hook}.admissionReviewVersions`]: ['v2'] },
      `${at}.admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1`,
    ],
    [
      { [`${hook}.admissionReviewVersions`]: ['v1', 'v1'] },
      `${at}.admissionReviewVersions[1]: Invalid value: "v1": duplicate version`,
    ],
    [
      { [`${hook}.matchConditions`]: [{ name: 'a', expression: ' ' }] },
      `${at}.matchConditions[0].expression: Required value`,
    ],
    [
      {
        [`${hook}.matchConditions`]: [
          { name: 'a', expression: 'x' },
          { name: 'a', expression: 'x' },
        ],
      },
      `${at}.matchConditions[1].name: Duplicate value: "a"`,
    ],
    [
      {
        [`${hook}.matchConditions`]: Array.from({ length: 65 }, (_, i) => ({
          name: `c${i}`,
          expression: 'x',
        })),
      },
      `${at}.matchConditions: Too many: 65: must have at most 64 items`,
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(validatingWebhookConfiguration, changes)).toEqual([why]);
  });

  test.each([
    [
      { [`${rule}.operations`]: ['*', 'CREATE'] },
      `${atRule}.operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
    ],
    [
      { [`${rule}.operations`]: ['READ'] },
      `${atRule}.operations[0]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`,
    ],
    [{ [`${rule}.apiGroups`]: [] }, `${atRule}.apiGroups: Required value`],
    [{ [`${rule}.apiVersions`]: [''] }, `${atRule}.apiVersions[0]: Required value`],
    [
      { [`${rule}.scope`]: 'Local' },
      `${atRule}.scope: Unsupported value: "Local": supported values: "*", "Cluster", "Namespaced"`,
    ],
    [
      resources('pods/*', 'pods/log'),
      `${atRule}.resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
    ],
    [
      resources('*/scale', 'deployments/scale'),
      `${atRule}.resources[1]: Invalid value: "deployments/scale": if '*/scale' is present, must not specify deployments/scale`,
    ],
    [
      resources('*/*', 'pods'),
      `${atRule}.resources: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources`,
    ],
    [
      resources('*', 'pods'),
      `${atRule}.resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
    ],
  ])('rejects a rule with %j', (changes, why) => {
    expect(refused(validatingWebhookConfiguration, changes)).toEqual([why]);
  });

  test.each([[['*', 'pods/exec']], [['pods/log', 'pods/*']], [['pods', '*']]])(
    'accepts the resources %j',
    (names) => {
      expect(refused(validatingWebhookConfiguration, resources(...names))).toEqual([]);
    },
  );

  test.each([
    [{}, `${at}.clientConfig: Required value: exactly one of url or service is required`],
    [
      { url: 'http://a.example' },
      `${at}.clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    ],
    [
      { url: 'https://a.example/?b=c' },
      `${at}.clientConfig.url: Invalid value: "b=c": query parameters are not permitted in the URL`,
    ],
    [
      { url: 'https://me@a.example' },
      `${at}.clientConfig.url: Invalid value: "me": user information is not permitted in the URL`,
    ],
    [
      { url: 'https://a.example:b' },
      `${at}.clientConfig.url: Required value: url must be a valid URL: parse "https://a.example:b": invalid port ":b" after host; desired format: https://host[/path]`,
    ],
    // Upstream exchanges the two fields.
    [{ service: { namespace: 'a', name: '' } }, `${at}.clientConfig.service.namespace: Required value`],
    [
      { service: { namespace: 'a', name: 'b', port: 0 } },
      `${at}.clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`,
    ],
    [
      { service: { namespace: 'a', name: 'b', path: '/a//b' } },
      `${at}.clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty`,
    ],
  ])('rejects the client %j', (clientConfig, why) => {
    expect(refused(validatingWebhookConfiguration, { [`${hook}.clientConfig`]: clientConfig })).toEqual([
      why,
    ]);
  });

  test('needs unique names of webhooks', () => {
    const same = structuredClone(sampleOf(validatingWebhookConfiguration).webhooks?.[0]);
    expect(refused(validatingWebhookConfiguration, { 'webhooks.1': same })).toEqual([
      'webhooks[1].name: Duplicate value: "images.policy.example.com"',
    ]);
  });

  test('is validated in an update like a new one, and counts its changes', () => {
    const changes = { [`${hook}.timeoutSeconds`]: 0 };
    expect(refusedUpdate(validatingWebhookConfiguration, changes)).toHaveLength(1);
    const [old, next] = [{}, { [`${hook}.timeoutSeconds`]: 7 }].map((changes) =>
      sampleOf(validatingWebhookConfiguration, changes),
    );
    expect(old && next && validatingWebhookConfiguration.sameDesiredState?.(next, old)).toBe(false);
  });

  test('warns about a reserved name', () => {
    const named = sampleOf(validatingWebhookConfiguration, { 'metadata.name': 'a.static.k8s.io' });
    expect(validatingWebhookConfiguration.warningsOnCreate?.(named)).toEqual([
      'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
    ]);
  });
});

describe('MutatingWebhookConfiguration', () => {
  test('never calls a webhook again by default', () => {
    const { webhooks } = sampleOf(mutatingWebhookConfiguration, {
      [`${hook}.reinvocationPolicy`]: undefined,
    });
    expect(webhooks?.[0]).toMatchObject({ reinvocationPolicy: 'Never', failurePolicy: 'Fail' });
  });

  test('rejects an unknown reinvocation policy', () => {
    expect(refused(mutatingWebhookConfiguration, { [`${hook}.reinvocationPolicy`]: 'Always' })).toEqual([
      `${at}.reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"`,
    ]);
  });
});
