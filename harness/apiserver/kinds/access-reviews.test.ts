import { describe, expect, test } from 'vitest';
import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
  tokenReviews,
} from '../../api/plain-resources.ts';
import type { Attributes } from '../../contracts/access/index.ts';
import { Simulation } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { scriptedAccess } from '../handler/scripted-access.fixture.ts';
import { refusal, world } from '../verbs/replicas.fixture.ts';
import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from './access-reviews.ts';
import { refused } from './declared.fixture.ts';

const metadata = {};

describe('Access reviews', () => {
  test('allow everything to every user, with a reason', async () => {
    const { server } = await world();
    const question = { spec: { resourceAttributes: { verb: 'create', resource: 'pods' } } };
    const { spec, status } = await server.create(selfSubjectAccessReviews, { metadata, ...question });
    expect(spec).toEqual(question.spec);
    expect(status).toEqual({
      allowed: true,
      reason: 'no request is refused: this apiserver has no authorization',
    });
  });

  test('describe all permissions in two rules', async () => {
    const { server } = await world();
    const spec = { namespace: 'anywhere' };
    const { status } = await server.create(selfSubjectRulesReviews, { metadata, spec });
    expect(status).toEqual({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    });
    expect(await refusal(server.create(selfSubjectRulesReviews, { metadata, spec: {} }))).toBe(
      '400 BadRequest: no namespace on request',
    );
  });

  test('accept a namespace that does not exist', async () => {
    const { server } = await world();
    const spec = { user: 'jane', resourceAttributes: { namespace: 'absent', verb: 'get', resource: 'pods' } };
    const answer = await server.create(localSubjectAccessReviews, {
      metadata: { namespace: 'absent' },
      spec,
    });
    expect(answer.status.allowed).toBe(true);
  });

  test('reject a review without a question', async () => {
    const { server } = await world();
    expect(await refusal(server.create(subjectAccessReviews, { metadata, spec: {} }))).toBe(
      '422 Invalid: SubjectAccessReview.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
    );
  });

  const bare = { metadata: {} };
  test.each([
    [
      { 'spec.nonResourceAttributes': { path: '/', verb: 'get' } },
      'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    ],
    [{ metadata: { name: 'a' } }, 'metadata: Invalid value: {"name":"a"}: must be empty'],
    [
      { 'spec.resourceAttributes.labelSelector': {} },
      'spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required',
    ],
    [
      {
        'spec.resourceAttributes.fieldSelector': {
          rawSelector: 'a=b',
          requirements: [{ key: 'a', operator: 'Exists' }],
        },
      },
      'spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
    ],
  ])('reject %j', (changes, why) => {
    expect(refused(selfSubjectAccessReview, { ...bare, ...changes })).toEqual([why]);
  });

  test('reject a review without a user or a group', () => {
    expect(refused(subjectAccessReview, { ...bare, 'spec.groups': [] })).toEqual([
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ]);
  });

  test('reject a namespace that differs from that of the review', () => {
    const metadata = { namespace: 'other' };
    expect(refused(localSubjectAccessReview, { metadata })).toEqual([
      'spec.resourceAttributes.namespace: Invalid value: "default": must match metadata.namespace',
    ]);
    expect(
      refused(localSubjectAccessReview, {
        metadata: { namespace: 'default' },
        'spec.resourceAttributes': undefined,
        'spec.nonResourceAttributes': { path: '/' },
      }),
    ).toEqual([
      'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":""}: disallowed on this kind of request',
    ]);
  });
});

describe('Access reviews with access control', () => {
  /** An apiserver whose access control allows `get`, and records each question. */
  async function decided(options: Parameters<typeof scriptedAccess>[0] = {}) {
    const questions: Attributes[] = [];
    const { access } = scriptedAccess({
      ...options,
      may(attributes) {
        questions.push(attributes);
        return attributes.verb === 'get';
      },
    });
    const { clock, random } = new Simulation({ seed: 1 });
    const server = new ApiServer({ clock, random, access });
    return { jane: server.authorized({ name: 'jane', uid: '7', groups: ['dev'] }), questions };
  }

  const about = (verb: string, rest: object = {}) => ({
    resourceAttributes: { verb, resource: 'pods', namespace: 'team', ...rest },
  });

  test('answer with the decision and its reason', async () => {
    const { jane, questions } = await decided();
    const ask = async (verb: string) =>
      (await jane.create(selfSubjectAccessReviews, { metadata, spec: about(verb) })).status;
    expect([await ask('get'), await ask('list')]).toEqual([
      { allowed: true },
      { allowed: false, reason: 'the script' },
    ]);
    expect(questions[0]).toEqual({
      ...{ user: jane.user, verb: 'get', isResourceRequest: true, path: '', apiGroup: '', apiVersion: '*' },
      ...{ namespace: 'team', resource: 'pods', subresource: '', name: '' },
    });
  });

  test('are about the named user and groups', async () => {
    const { jane, questions } = await decided();
    const subject = { user: 'bob', uid: '8', groups: ['ops'], extra: { team: ['a'] } };
    await jane.create(subjectAccessReviews, { metadata, spec: { ...subject, ...about('get') } });
    const { user: name, ...rest } = subject;
    expect(questions[0]?.user).toEqual({ name, ...rest });
  });

  test('are about a path', async () => {
    const { jane, questions } = await decided();
    const spec = { nonResourceAttributes: { verb: 'get', path: '/metrics' } };
    expect((await jane.create(selfSubjectAccessReviews, { metadata, spec })).status.allowed).toBe(true);
    expect(questions[0]).toMatchObject({ isResourceRequest: false, verb: 'get', path: '/metrics' });
  });

  test.each([
    [{ rawSelector: 'spec.nodeName=a' }, 'spec.nodeName=a', undefined],
    [{ rawSelector: 'a' }, undefined, 'spec.resourceAttributes.fieldSelector ignored due to parse error'],
    [
      {
        requirements: [
          { key: 'a', operator: 'In', values: ['1,2'] },
          { key: 'b', operator: 'NotIn', values: ['3'] },
        ],
      },
      'a=1\\,2,b!=3',
      undefined,
    ],
    [
      {
        requirements: [
          { key: 'a', operator: 'In', values: ['1'] },
          { key: 'b', operator: 'Exists' },
        ],
      },
      'a=1',
      'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    ],
    [
      { requirements: [{ key: 'a', operator: 'In', values: ['1', '2'] }] },
      undefined,
      'spec.resourceAttributes.fieldSelector ignored due to parse error',
    ],
  ])('read the field selector %j', async (fieldSelector, selector, evaluationError) => {
    const { jane, questions } = await decided();
    const spec = about('get', { fieldSelector });
    const { status } = await jane.create(selfSubjectAccessReviews, { metadata, spec } as never);
    expect(questions[0]?.fieldSelector).toBe(selector);
    expect(status.evaluationError).toBe(evaluationError);
  });

  test('report an error of the authorizers', async () => {
    const { jane } = await decided({ error: 'a webhook is down' });
    const { status } = await jane.create(selfSubjectAccessReviews, { metadata, spec: about('get') });
    expect(status).toEqual({ allowed: false, evaluationError: 'a webhook is down' });
  });

  test('list the rules of the user, and whether there may be more', async () => {
    const { jane } = await decided();
    const { status } = await jane.create(selfSubjectRulesReviews, { metadata, spec: { namespace: 'team' } });
    expect(status).toEqual({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'a role is missing',
    });
  });

  test('identify the user of a token, or report why not', async () => {
    const { jane } = await decided();
    const ask = async (token: string) =>
      (await jane.create(tokenReviews, { metadata, spec: { token, audiences: ['vault'] } })).status;
    expect(await ask('wrong')).toEqual({ user: {}, error: '[invalid bearer token, it is unknown]' });
  });
});
