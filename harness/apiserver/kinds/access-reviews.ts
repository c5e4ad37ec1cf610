import type * as authorization from '#api/authorization/v1';
import { aggregate } from '../../api/aggregate.ts';
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
import type { User, UserRules } from '../../contracts/access/index.ts';
import { declareReview } from '../declare/declare-review.ts';
import type { Asker } from '../kind.ts';
import { invalid, required } from '../validation/field-error.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { reviewedAttributes } from './reviewed-attributes.ts';

type AccessReviewStatus = authorization.SubjectAccessReviewStatus;

/** The answer of an apiserver without access control, in a simulation. */
const ALLOWED: AccessReviewStatus = Object.freeze({
  allowed: true,
  reason: 'no request is refused: this apiserver has no authorization',
});

type Spec = authorization.SelfSubjectAccessReviewSpec;

/**
 * Returns the decision about the request that a review describes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization/subjectaccessreview/rest.go REST.Create,
 * pkg/registry/authorization/util/helpers.go ResourceAttributesFrom, BuildEvaluationError
 */
function decisionOn(spec: Spec, user: User, { access }: Pick<Asker, 'access'>): AccessReviewStatus {
  if (!access) return ALLOWED;
  const { attributes, ignored } = reviewedAttributes(spec, user);
  const { verdict, reason, error } = access.authorize(attributes);
  const evaluationError = [...(error === undefined ? [] : [error]), ...ignored].join('; ');
  return {
    allowed: verdict === 'allow',
    ...(verdict === 'deny' && { denied: true }),
    ...(reason && { reason }),
    ...(evaluationError && { evaluationError }),
  };
}

const decided = <T extends SubjectAccessReview | LocalSubjectAccessReview>(review: T, asker: Asker): T => {
  const { user: name = '', uid, groups = [], extra } = review.spec;
  const user = { name, ...(uid && { uid }), groups, ...(extra && { extra }) };
  return { ...review, status: decisionOn(review.spec, user, asker) };
};

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
  answer: (review, asker) => ({ ...review, status: decisionOn(review.spec, asker.user, asker) }),
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
  answer: decided,
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
  answer: decided,
});

/** The rules of everybody on an apiserver without access control. */
const EVERYTHING: UserRules = {
  rules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
  incomplete: false,
  errors: [],
};

/**
 * The kind SelfSubjectRulesReview.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization/selfsubjectrulesreview/rest.go
 */
export const selfSubjectRulesReview = declareReview<SelfSubjectRulesReview>({
  resource: selfSubjectRulesReviews,
  answer({ spec, ...review }, { access, user }) {
    if (!spec.namespace) throw errors.badRequest('no namespace on request');
    const found = access?.rulesFor(user, spec.namespace) ?? EVERYTHING;
    const resourceRules = found.rules.filter(({ resources = [] }) => resources.length > 0);
    const nonResourceRules = found.rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
    return {
      ...review,
      // The answer does not repeat the question.
      metadata: {} as SelfSubjectRulesReview['metadata'],
      spec: {},
      status: {
        resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs,
          ...(apiGroups?.length && { apiGroups }),
          ...(resources?.length && { resources }),
          ...(resourceNames?.length && { resourceNames }),
        })),
        nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
          verbs,
          ...(nonResourceURLs?.length && { nonResourceURLs }),
        })),
        incomplete: found.incomplete,
        ...(found.errors.length > 0 && { evaluationError: aggregate(found.errors) }),
      },
    };
  },
});
