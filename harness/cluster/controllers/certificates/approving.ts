import type * as authorization from '#api/authorization/v1';
import type { CertificateSigningRequest } from '../../../api/objects.ts';
import { subjectAccessReviews } from '../../../api/plain-resources.ts';
import type { ComponentContext } from '../../../contracts/component.ts';
import { parseCertificateRequest } from '../../../platform/x509/certificate-request.ts';
import { commonNameOf } from '../../../platform/x509/name.ts';
import { certificateController, hasCondition, pemOfRequest } from './certificate-controller.ts';
import { clientProblem } from './kubelet-requests.ts';

/**
 * Approves requests of kubelets for client certificates, if their user may have them approved. Everybody else's wait for
 * a person.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/certificates/approver/sarapprove.go sarApprover.handle
 */
export const certificateApprovingController = certificateController(async (request, context) => {
  if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
  const { spec, status } = request;
  if (spec.signerName !== 'kubernetes.io/kube-apiserver-client-kubelet') return;
  const parsed = parseCertificateRequest(pemOfRequest(request));
  if (clientProblem(parsed, spec.usages ?? []) !== undefined) return;
  const isOwn = spec.username === commonNameOf(parsed.subject);
  const tried = isOwn ? ['selfnodeclient', 'nodeclient'] : ['nodeclient'];
  for (const subresource of tried) {
    if (!(await mayHave(request, subresource, context))) continue;
    const which = subresource === 'selfnodeclient' ? 'self kubelet' : 'kubelet';
    const message = `Auto approving ${which} client certificate after SubjectAccessReview.`;
    const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
    const conditions = [...(status.conditions ?? []), approved];
    const { signal } = context;
    await context.client.updateApproval({ ...request, status: { ...status, conditions } }, { signal });
    return;
  }
  throw new Error(
    `recognized csr "${request.metadata.name}" as [${tried.join(' ')}] but subject access review was not approved`,
  );
});

/** Asks whether the user of a request may have it approved. */
async function mayHave(
  { spec }: CertificateSigningRequest,
  subresource: string,
  { client, signal }: ComponentContext,
): Promise<boolean> {
  const { username: user, uid, groups, extra } = spec;
  const asked: authorization.SubjectAccessReviewSpec = {
    ...(user && { user }),
    ...(uid && { uid }),
    ...(groups && { groups }),
    ...(extra && { extra }),
    resourceAttributes: {
      ...{ group: 'certificates.k8s.io', resource: 'certificatesigningrequests', version: '*' },
      ...{ verb: 'create', subresource },
    },
  };
  const review = await client.create(subjectAccessReviews, { metadata: {}, spec: asked }, { signal });
  return review.status.allowed;
}
