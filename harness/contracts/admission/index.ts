export type {
  Admission,
  AdmissionAttributes,
  AdmissionContext,
  NewAdmission,
  Operation,
} from './admission.ts';
export type {
  AdmissionReview,
  ConversionTransport,
  WebhookRequest,
  WebhookResponse,
  WebhookTransport,
} from './webhook.ts';
