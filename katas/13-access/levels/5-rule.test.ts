import { describe, expect, test } from 'vitest';
import type { Attributes, rbac } from '#given/13-access';
import { named, ruleFor, vectors } from '#harness/testing';
import { ruleAllows } from '#kata/13-access/access';
import { about, aboutPath, user } from './objects.fixture.ts';

const jane = user('jane');

const pods = (fields: Partial<rbac.PolicyRule> = {}): rbac.PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...fields,
});

const allows = (rule: rbac.PolicyRule, asked: Partial<Attributes> = {}): boolean =>
  ruleAllows(
    rule,
    about(jane, { verb: 'get', resource: 'pods', namespace: 'default', name: 'web', ...asked }),
  );

describe('Level 5 · One rule', () => {
  test('allows a request if its verb, its group and its resource match', () => {
    expect(allows(pods()), 'get pods').toBe(true);
    expect(allows(pods(), { verb: 'list' }), 'list is another verb than get').toBe(false);
    expect(allows(pods(), { resource: 'secrets' }), 'another resource').toBe(false);
    expect(allows(pods(), { apiGroup: 'metrics.k8s.io' }), 'pods of another group').toBe(false);
    expect(allows(pods({ verbs: ['GET'] })), 'verbs are compared exactly').toBe(false);
  });

  test('has lists, and one value of each suffices', () => {
    const rule = pods({
      verbs: ['get', 'list'],
      apiGroups: ['', 'apps'],
      resources: ['pods', 'deployments'],
    });
    expect(allows(rule, { verb: 'list', apiGroup: 'apps', resource: 'deployments' })).toBe(true);
  });

  test('matches everything with *', () => {
    expect(allows(pods({ verbs: ['*'] }), { verb: 'deletecollection' }), 'any verb').toBe(true);
    expect(allows(pods({ apiGroups: ['*'] }), { apiGroup: 'metrics.k8s.io' }), 'any group').toBe(true);
    expect(allows(pods({ resources: ['*'] }), { resource: 'secrets' }), 'any resource').toBe(true);
    expect(allows(pods({ resources: ['*'] }), { subresource: 'log' }), 'and their subresources').toBe(true);
  });

  test.each([
    ['pods', 'log', false],
    ['pods/log', 'log', true],
    ['pods/log', '', false],
    ['*/log', 'log', true],
    ['*/log', '', false],
    ['*/log', 'exec', false],
    ['pods/*', 'log', false],
  ])('separates a resource from its subresources: %s for pods/%s', (resource, subresource, allowed) => {
    expect(allows(pods({ resources: [resource] }), { subresource }), 'only */log has a wildcard').toBe(
      allowed,
    );
  });

  test('with resourceNames allows only these objects', () => {
    const rule = pods({ verbs: ['get', 'list', 'create'], resourceNames: ['web', 'api'] });
    expect(allows(rule, { name: 'api' }), 'one of the names').toBe(true);
    expect(allows(rule, { name: 'other' }), 'another name').toBe(false);
    expect(allows(rule, { verb: 'list', name: '' }), 'a list of all pods has no name').toBe(false);
    expect(allows(rule, { verb: 'create', name: '' }), 'a create has no name').toBe(false);
    expect(allows(pods({ resourceNames: [] }), { name: 'other' }), 'an empty list restricts nothing').toBe(
      true,
    );
  });

  const allowsPath = (url: string, path: string): boolean =>
    ruleAllows({ verbs: ['get'], nonResourceURLs: [url] }, aboutPath(jane, 'get', path));

  test('can be about paths', () => {
    expect(allowsPath('/healthz', '/healthz'), 'the same path').toBe(true);
    expect(allowsPath('/healthz', '/healthz/etcd'), 'a path below it').toBe(false);
    expect(allowsPath('/healthz/*', '/healthz/etcd'), '* at the end').toBe(true);
    expect(allowsPath('/healthz/*', '/healthz'), '/healthz does not start with /healthz/').toBe(false);
    expect(allowsPath('/healthz*', '/healthzoo'), '* needs no slash').toBe(true);
    expect(allowsPath('/healthz**', '/healthzoo'), 'several * are one').toBe(true);
    expect(allowsPath('*', '/metrics'), 'every path').toBe(true);
    expect(allowsPath('*/etcd', '/healthz/etcd'), '* only at the end').toBe(false);
  });

  test('about paths allows no resource, and the reverse', () => {
    expect(allows({ verbs: ['*'], nonResourceURLs: ['*'] }), 'a pod is no path').toBe(false);
    const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    expect(ruleAllows(everything, aboutPath(jane, 'get', '/metrics')), 'a path is no resource').toBe(false);
  });

  interface Row {
    readonly rule: rbac.PolicyRule;
    readonly requests: readonly { verb: string; path?: string; resource?: string }[];
  }

  test.each(named(vectors<Row, { allowed: readonly boolean[] }>('rbac', 'ruleAllows', 8)))(
    "agrees with upstream's RuleAllows: %s",
    (_, { input: { rule, requests }, expect: { allowed } }) => {
      const answers = requests.map(({ path, resource = '', ...asked }) =>
        ruleAllows(
          rule,
          path === undefined ? about(jane, { resource, ...asked }) : aboutPath(jane, asked.verb, path),
        ),
      );
      expect(answers, ruleFor('whether the rule allows each request', { rule, requests })).toEqual(allowed);
    },
  );
});
