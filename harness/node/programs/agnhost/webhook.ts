import type { HttpAnswer } from '../../../contracts/node/index.ts';
import { flagValue } from '../flags.ts';
import type { Process, Program, ServedRequest } from '../program.ts';
import { type Admit, handlers, type Review } from './admit.ts';
import { log, logVerbosely, refuse, serveReviews } from './review-server.ts';

/**
 * A server for admission webhooks: `agnhost webhook --tls-cert-file=FILE --tls-private-key-file=FILE [--port=443]
 * [--sidecar-image=IMAGE] [-v=2]`. The path of a request selects the handler.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 test/images/agnhost/webhook/main.go main, serve
 */
export const webhook: Program = async (process) => {
  const { argv, clock } = process;
  const admits = handlers({ sidecarImage: flagValue(argv, '--sidecar-image') ?? '', clock });
  return serveReviews(process, async (path, request) => {
    const admit = admits.get(path);
    return admit && answer(process, admit, request);
  });
};

async function answer(process: Process, admit: Admit, { headers, body }: ServedRequest): Promise<HttpAnswer> {
  const contentType = headers['content-type'] ?? '';
  if (contentType !== 'application/json') {
    log(process, 'E', `main.go] contentType=${contentType}, expect application/json`);
    return { status: 200, headers: {}, body: '' };
  }
  logVerbosely(process, `main.go] handling request: ${body}`);
  const review = reviewIn(body);
  if (typeof review === 'string') return refuse(process, review);
  const { apiVersion, kind, request } = review;
  const response = { uid: request.uid, ...(await admit(request)) };
  const sent = JSON.stringify({ kind, apiVersion, response });
  logVerbosely(process, `main.go] sending response: ${sent}`);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: sent };
}

const VERSIONS: readonly string[] = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** Decodes a review. Both versions have the same form. @returns the problem of a body that is not a review */
function reviewIn(body: string): Review | string {
  let review: Review;
  try {
    review = JSON.parse(body);
  } catch (error) {
    return `Request could not be decoded: couldn't get version/kind; json parse error: ${(error as Error).message}`;
  }
  const { apiVersion = '', kind = '' } = review ?? {};
  if (kind === '') return `Request could not be decoded: Object 'Kind' is missing in '${body}'`;
  if (kind !== 'AdmissionReview' || !VERSIONS.includes(apiVersion)) {
    return `Unsupported group version kind: ${apiVersion}, Kind=${kind}`;
  }
  return review;
}
