import { describe, expect, test } from 'vitest';
import type { Hook, Operation } from '#given/14-admission';
import { errors, type KubeObject, namespaces, type Resource } from '#harness';
import { defineResource, named, ruleFor, vectors } from '#harness/testing';
import { invocationOf, ruleMatches } from '#kata/14-admission/admission';
import { attributes, hook, TestApiserver } from './context.fixture.ts';

interface Target {
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly operation: Operation;
}

interface RuleRow {
  readonly rule: NonNullable<Hook['rules']>[number];
}

interface Named {
  readonly group: string;
  readonly version: string;
  readonly resource?: string;
  readonly kind?: string;
}

interface CallInput {
  readonly webhook: Partial<Hook>;
  readonly attributes: {
    readonly group?: string;
    readonly resource: string | Named;
    readonly subresource?: string;
    readonly namespace: string;
    readonly operation: Operation;
    readonly objectLabels?: Readonly<Record<string, string>> | null;
    readonly oldObjectLabels?: Readonly<Record<string, string>>;
    readonly namespaceLabels?: Readonly<Record<string, string>> | null;
  };
}

/** The API versions that serve Deployments in upstream's tests. */
const SERVED = ['extensions/v1beta1', 'apps/v1', 'apps/v1beta1', 'apps/v1alpha1'];

const deploymentsIn = (apiVersion: string): Resource =>
  defineResource(apiVersion, 'Deployment', 'deployments');

function resourceOf({ group = '', resource }: CallInput['attributes']): Resource {
  if (typeof resource !== 'string') return deploymentsIn(`${resource.group}/${resource.version}`);
  if (group) return defineResource(`${group}/v1`, 'ValidatingWebhookConfiguration', resource);
  return resource === 'namespaces' ? (namespaces as Resource) : defineResource('v1', 'Thing', resource);
}

const labelled = (labels: Readonly<Record<string, string>> | null | undefined): KubeObject | undefined =>
  labels
    ? ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x', labels } } as unknown as KubeObject)
    : undefined;

const server = new TestApiserver();

const match = async (webhook: Partial<Hook>, request: ReturnType<typeof attributes>, labels = {}) => {
  const { value, error } = await server.outcome(() =>
    invocationOf(hook(webhook), request, async () => labels),
  );
  return error ?? (value ? 'call' : 'no call');
};

describe('Level 5 · Does a webhook match', () => {
  test.each(
    named(vectors<RuleRow, { match: Target[]; noMatch: Target[] }>('webhook-match', 'ruleMatches', 17)),
  )('ruleMatches agrees with upstream: %s', (_, { input, expect: expected }) => {
    const matches = ({ group, version, resource: plural, ...rest }: Target): boolean =>
      ruleMatches(input.rule, { ...rest, resource: { group, version, plural, kind: 'Kind' } });
    const rule = (target: Target, is: string) =>
      `the rule ${JSON.stringify(input.rule)} ${is} ${JSON.stringify(target)}`;
    for (const target of expected.match) expect(matches(target), rule(target, 'matches')).toBe(true);
    for (const target of expected.noMatch)
      expect(matches(target), rule(target, 'does not match')).toBe(false);
  });

  test.each(
    named(vectors<CallInput, { call: boolean; resource?: Named }>('webhook-match', 'shouldCall', 24)),
  )('invocationOf agrees with upstream: %s', async (_, { input, expect: expected }) => {
    const { namespace, operation, subresource = '', ...given } = input.attributes;
    const resource = resourceOf(input.attributes);
    const [object, oldObject] = [
      labelled(given.objectLabels ?? (given.objectLabels === null ? null : {})),
      labelled(given.oldObjectLabels),
    ];
    const isNamespace = given.resource === 'namespaces';
    const request = attributes({
      operation,
      resource,
      subresource,
      namespace,
      name: isNamespace ? namespace : 'name',
      object,
      ...(oldObject && { oldObject }),
    });
    const others = SERVED.map(deploymentsIn).filter(
      ({ group, version }) => group !== resource.group || version !== resource.version,
    );
    const labelsOf = async () => given.namespaceLabels ?? {};
    const { value } = await server.outcome(() =>
      invocationOf(hook(input.webhook), request, labelsOf, resource.plural === 'deployments' ? others : []),
    );
    expect(value !== undefined, ruleFor('is called', input)).toBe(expected.call);
    if (!expected.resource) return;
    const { group, version } = value?.resource ?? {};
    expect({ group, version }, ruleFor('is called for', input)).toEqual({
      group: expected.resource.group,
      version: expected.resource.version,
    });
  });

  test('Only namespaces of the core group have no namespace', () => {
    const rule = (scope: string) => ({
      ...{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] },
      scope,
    });
    const inGroup = (group: string) => ({
      ...{ namespace: 'ns', operation: 'CREATE' as const, subresource: '' },
      resource: { group, version: 'v1', plural: 'namespaces', kind: 'Namespace' },
    });
    const scopesOf = (group: string) =>
      ['Cluster', 'Namespaced'].filter((scope) => ruleMatches(rule(scope), inGroup(group)));
    expect([scopesOf(''), scopesOf('example.com')]).toEqual([['Cluster'], ['Namespaced']]);
  });

  test('A rule without a list matches nothing', () => {
    const [rule] = podRules;
    const target = { ...request, resource: { ...request.resource } };
    expect(ruleMatches(rule as NonNullable<Hook['rules']>[number], target)).toBe(true);
    for (const field of ['operations', 'apiGroups', 'apiVersions', 'resources'])
      expect(ruleMatches({ ...rule, [field]: undefined } as never, target), `without ${field}`).toBe(false);
  });

  const podRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
  const request = attributes({ object: labelled({ app: 'web' }) });

  test('A webhook without selectors is called for each request that a rule matches', async () => {
    expect(await match({ rules: podRules }, request)).toBe('call');
    expect(await match({ rules: [] }, request)).toBe('no call');
  });

  test.each([
    ['an update of its status, with other labels', 'UPDATE', 'status'],
    ['its delete', 'DELETE', ''],
  ] as const)('The stored labels of a namespace count for %s', async (_, operation, subresource) => {
    const [prod, other] = [{ env: 'prod' }, { env: 'other' }];
    const about = { operation, subresource, resource: namespaces, namespace: 'ns', name: 'ns' } as const;
    const sent = attributes({
      ...about,
      ...(operation === 'UPDATE' && { object: labelled(other) }),
      oldObject: labelled(other) as KubeObject,
    });
    const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces/*'] }];
    const of = { rules, namespaceSelector: { matchLabels: prod } };
    expect(await match(of, sent, prod)).toBe('call');
    expect(await match(of, sent, other)).toBe('no call');
  });

  test('A missing namespace is an error, but only for a webhook that the request concerns', async () => {
    const gone = async () => {
      throw errors.notFound(namespaces, 'ns');
    };
    const namespaceSelector = { matchLabels: { env: 'prod' } };
    const outcome = async (rules: typeof podRules) =>
      server.outcome(() => invocationOf(hook({ rules, namespaceSelector }), request, gone));
    expect((await outcome(podRules)).error?.code).toBe(404);
    expect(await outcome([])).toMatchObject({ value: undefined });
  });

  test('The labels of a namespace are read only for a namespaceSelector', async () => {
    let reads = 0;
    await server.outcome(() =>
      invocationOf(hook({ rules: podRules }), request, async () => {
        reads++;
        return {};
      }),
    );
    expect(reads).toBe(0);
  });
});
