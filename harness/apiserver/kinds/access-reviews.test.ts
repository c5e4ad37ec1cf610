import { describe, expect, test } from 'vitest';
import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
} from '../../api/plain-resources.ts';
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
