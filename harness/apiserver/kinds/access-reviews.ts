import type * as authorization from '#api/authorization/v1';
import type {
  KubeObject,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from '../../api/objects.ts';
import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
} from '../../api/plain-resources.ts';
import { type Cause, errors } from '../../api/status.ts';
import { declareReview } from '../declare/declare-review.ts';
import { invalid, required } from '../validation/field-error.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';

/**
 * The answer to every access review.
 *
 * Differs: this server has no authorization yet. Every user may do everything, and the answer gives that as its
 * reason.
 */
const ALLOWED: authorization.SubjectAccessReviewStatus = Object.freeze({
  allowed: true,
  reason: 'no request is refused: this apiserver has no authorization',
});

const answer = <T extends KubeObject & { status: authorization.SubjectAccessReviewStatus }>(
  review: T,
): T => ({
  ...review,
  status: ALLOWED,
});

type Spec = authorization.SelfSubjectAccessReviewSpec;

const NON_RESOURCE: GoStruct = { Path: ['path', ''], Verb: ['verb', ''] };

/** Requires either resource attributes or non-resource attributes. Upstream: ValidateSelfSubjectAccessReviewSpec */
function validateQuestion({ resourceAttributes, nonResourceAttributes }: Spec): Cause[] {
  const shown = inGoNames(nonResourceAttributes, NON_RESOURCE);
  if (resourceAttributes && nonResourceAttributes) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', shown, detail)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', shown, detail)];
}

/** Requires a user or a group. Upstream: ValidateSubjectAccessReviewSpec */
function validateSubject({ user = '', groups = [] }: authorization.SubjectAccessReviewSpec): Cause[] {
  if (user || groups.length > 0) return [];
  return [invalid('spec.user', user, 'at least one of user or group must be specified')];
}

/** Upstream: validateFieldSelectorAttributes, validateLabelSelectorAttributes */
function validateSelectors({ resourceAttributes = {} }: Spec): Cause[] {
  return (['fieldSelector', 'labelSelector'] as const).flatMap((field) => {
    const selector = resourceAttributes[field];
    const path = `spec.resourceAttributes.${field}`;
    const { rawSelector = '', requirements = [] } = selector ?? {};
    if (selector && !rawSelector && requirements.length === 0) {
      const detail = `when ${path} is specified, requirements or rawSelector is required`;
      return [required(`${path}.requirements`, detail)];
    }
    if (!rawSelector || requirements.length === 0) return [];
    const detail = 'may not specified at the same time as requirements';
    return [invalid(`${path}.rawSelector`, rawSelector, detail)];
  });
}

/** A review is not a stored object, so it has no metadata. */
function validateNoMetadata(
  { metadata }: KubeObject,
  detail: string,
  ...allowed: readonly string[]
): Cause[] {
  const set = Object.keys(metadata).filter((field) => field !== 'managedFields' && !allowed.includes(field));
  return set.length === 0 ? [] : [invalid('metadata', metadata, detail)];
}

/**
 * The kind SelfSubjectAccessReview.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization/selfsubjectaccessreview/rest.go,
 * pkg/apis/authorization/validation/validation.go
 *
 * Differs: the requirements of its selectors are not validated.
 */
export const selfSubjectAccessReview = declareReview<SelfSubjectAccessReview>({
  resource: selfSubjectAccessReviews,
  rules: [
    ({ spec }) => [...validateQuestion(spec), ...validateSelectors(spec)],
    (review) => validateNoMetadata(review, 'must be empty'),
  ],
  answer,
});

/**
 * The kind SubjectAccessReview. See {@link selfSubjectAccessReview}.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization/subjectaccessreview/rest.go
 */
export const subjectAccessReview = declareReview<SubjectAccessReview>({
  resource: subjectAccessReviews,
  rules: [
    ({ spec }) => [...validateQuestion(spec), ...validateSubject(spec), ...validateSelectors(spec)],
    (review) => validateNoMetadata(review, 'must be empty'),
  ],
  answer,
});

/**
 * The kind LocalSubjectAccessReview. A user who may create it in a namespace may ask about that namespace.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization/localsubjectaccessreview/rest.go
 */
export const localSubjectAccessReview = declareReview<LocalSubjectAccessReview>({
  resource: localSubjectAccessReviews,
  rules: [
    ({ spec }) => [...validateQuestion(spec), ...validateSubject(spec), ...validateSelectors(spec)],
    (review) => validateNoMetadata(review, 'must be empty except for namespace', 'namespace'),
    ({ metadata, spec: { resourceAttributes, nonResourceAttributes } }) => {
      const causes: Cause[] = [];
      const { namespace = '' } = resourceAttributes ?? {};
      if (resourceAttributes && namespace !== (metadata.namespace ?? '')) {
        const detail = 'must match metadata.namespace';
        causes.push(invalid('spec.resourceAttributes.namespace', namespace, detail));
      }
      if (nonResourceAttributes) {
        const shown = inGoNames(nonResourceAttributes, NON_RESOURCE);
        causes.push(invalid('spec.nonResourceAttributes', shown, 'disallowed on this kind of request'));
      }
      return causes;
    },
  ],
  answer,
});

/**
 * The kind SelfSubjectRulesReview. Two rules cover everything, because every user may do everything.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization/selfsubjectrulesreview/rest.go
 */
export const selfSubjectRulesReview = declareReview<SelfSubjectRulesReview>({
  resource: selfSubjectRulesReviews,
  answer({ spec, ...review }) {
    if (!spec.namespace) throw errors.badRequest('no namespace on request');
    return {
      ...review,
      // The answer does not repeat the question.
      metadata: {} as SelfSubjectRulesReview['metadata'],
      spec: {},
      status: {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      },
    };
  },
});
