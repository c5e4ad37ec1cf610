import type { SelfSubjectReview, TokenReview } from '../../api/objects.ts';
import { selfSubjectReviews, tokenReviews } from '../../api/plain-resources.ts';
import { errors } from '../../api/status.ts';
import { formatTime } from '../../sim/index.ts';
import { declareReview } from '../declare/declare-review.ts';
import { userInfoOf } from '../users.ts';
import { ISSUER } from '../verbs/token.ts';
import { reviewToken } from '../verbs/token-review.ts';

/**
 * The kind SelfSubjectReview: it reports the user of the request.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authentication/selfsubjectreview/rest.go
 */
export const selfSubjectReview = declareReview<SelfSubjectReview>({
  resource: selfSubjectReviews,
  answer: (review, { user, nowMs }) => ({
    ...review,
    metadata: { creationTimestamp: formatTime(nowMs) } as SelfSubjectReview['metadata'],
    status: { userInfo: userInfoOf(user) },
  }),
});

/**
 * The kind TokenReview: it reports the user of a token that this server issued and that is still valid.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authentication/tokenreview/storage.go
 */
export const tokenReview = declareReview<TokenReview>({
  resource: tokenReviews,
  answer(review, asker) {
    const { token = '', audiences } = review.spec;
    if (!token) throw errors.badRequest('token is required for TokenReview in authentication');
    const asked = audiences?.length ? audiences : [ISSUER];
    return { ...review, status: reviewToken(token, asked, asker) };
  },
});
