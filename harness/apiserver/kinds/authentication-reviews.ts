import type * as authentication from '#api/authentication/v1';
import { aggregate } from '../../api/aggregate.ts';
import type { SelfSubjectReview, TokenReview } from '../../api/objects.ts';
import { selfSubjectReviews, tokenReviews } from '../../api/plain-resources.ts';
import { errors } from '../../api/status.ts';
import type { TokenAuthentication } from '../../contracts/access/index.ts';
import { formatTime } from '../../sim/index.ts';
import { declareReview } from '../declare/declare-review.ts';
import { ISSUER } from '../service-account-tokens.ts';
import { userInfoOf } from '../users.ts';
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
 * The kind TokenReview: it reports the user of a token that this server accepts.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authentication/tokenreview/storage.go
 */
export const tokenReview = declareReview<TokenReview>({
  resource: tokenReviews,
  answer(review, asker) {
    const { token = '', audiences } = review.spec;
    if (!token) throw errors.badRequest('token is required for TokenReview in authentication');
    const asked = audiences?.length ? audiences : [ISSUER];
    const { access } = asker;
    const status = access
      ? statusOf(access.authenticateToken(token, asked))
      : reviewToken(token, asked, asker);
    return { ...review, status };
  },
});

function statusOf(result: TokenAuthentication): authentication.TokenReviewStatus {
  if (!('user' in result))
    return { user: {}, ...(result.rejected.length > 0 && { error: aggregate(result.rejected) }) };
  return { authenticated: true, user: userInfoOf(result.user), audiences: [...result.audiences] };
}
