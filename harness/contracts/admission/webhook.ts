import type * as admissionregistration from '#api/admissionregistration/v1';
import type { ConversionReview } from '#api/apiextensions/v1';

/** Sends a review to a webhook and returns its answer. */
export interface WebhookTransport extends ConversionTransport {
  /**
   * Sends the review in one HTTP request.
   *
   * @param config - the service or the URL of the webhook, and its CA
   * @param options.timeoutSeconds - in the query of the request, for the webhook to know. The caller enforces it with the
   * signal
   * @returns the body of the answer, parsed as JSON if possible; the webhook can answer anything
   * @throws Error when no answer arrives, the answer is empty, or its HTTP status is not 2xx, with the reason in Go's
   * words: `Post "https://…": dial tcp …: connect: connection refused`. When the signal aborts first, the text after the
   * URL is the message of its reason, which is the `cause` of the error
   */
  send(
    config: admissionregistration.WebhookClientConfig,
    review: AdmissionReview,
    options: { readonly timeoutSeconds: number; readonly signal: AbortSignal },
  ): Promise<unknown>;
}

/** Sends objects to a webhook that converts them to another version of their kind. */
export interface ConversionTransport {
  /**
   * Sends the review in one HTTP request. Its query has no time limit.
   *
   * @param config - as in {@link WebhookTransport.send}
   * @returns the body of the answer, parsed as JSON if possible
   * @throws Error as {@link WebhookTransport.send}
   */
  convert?(
    config: admissionregistration.WebhookClientConfig,
    review: ConversionReview,
    options: { readonly signal: AbortSignal },
  ): Promise<unknown>;
}

/**
 * The question to a webhook, and its answer.
 *
 * Upstream: kubernetes/api@v0.36.3 admission/v1/types.go AdmissionReview
 */
export interface AdmissionReview {
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly kind: 'AdmissionReview';
  readonly request?: WebhookRequest;
  readonly response?: WebhookResponse;
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/group_version.go GroupVersionKind */
export interface GroupVersionKind {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/group_version.go GroupVersionResource */
export interface GroupVersionResource {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural: `pods` */
  readonly resource: string;
}

/** Upstream: kubernetes/api@v0.36.3 admission/v1/types.go AdmissionRequest */
export interface WebhookRequest {
  /** Identifies this call. The answer must repeat it. */
  readonly uid: string;
  /** The kind and the resource of `object`, which can be a converted one. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  /** The kind and the resource of the original request. */
  readonly requestKind: GroupVersionKind;
  readonly requestResource: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Null if the request has none. */
  readonly object: object | null;
  readonly oldObject: object | null;
  readonly dryRun: boolean;
  readonly options: object | null;
}

/** Upstream: kubernetes/api@v0.36.3 admission/v1/types.go AdmissionResponse */
export interface WebhookResponse {
  readonly uid: string;
  readonly allowed: boolean;
  /** The reason of a refusal. */
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  /** A JSON patch in base64; only with `patchType`. */
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}
