// Derived from the Go types of apiextensions/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: Array<unknown>;
}
export interface ConversionResponse {
  uid: string;
  convertedObjects: Array<unknown>;
  result: meta.Status;
}
export interface ConversionReview {
  kind?: string;
  apiVersion?: string;
  request?: ConversionRequest;
  response?: ConversionResponse;
}
export interface CustomResourceColumnDefinition {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}
export interface CustomResourceConversion {
  strategy: string;
  webhook?: WebhookConversion;
}
export interface CustomResourceDefinition {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: CustomResourceDefinitionSpec;
  status?: CustomResourceDefinitionStatus;
}
export interface CustomResourceDefinitionCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}
export interface CustomResourceDefinitionList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<CustomResourceDefinition>;
}
export interface CustomResourceDefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: Array<string>;
  kind: string;
  listKind?: string;
  categories?: Array<string>;
}
export interface CustomResourceDefinitionSpec {
  group: string;
  names: CustomResourceDefinitionNames;
  scope: string;
  versions: Array<CustomResourceDefinitionVersion>;
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
}
export interface CustomResourceDefinitionStatus {
  conditions?: Array<CustomResourceDefinitionCondition>;
  acceptedNames?: CustomResourceDefinitionNames;
  storedVersions?: Array<string>;
  observedGeneration?: number;
}
export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: Array<CustomResourceColumnDefinition>;
  selectableFields?: Array<SelectableField>;
}
export interface CustomResourceSubresourceScale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}
export interface CustomResourceSubresourceStatus {
}
export interface CustomResourceSubresources {
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
}
export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps;
}
export interface ExternalDocumentation {
  description?: string;
  url?: string;
}
export interface JSONSchemaProps {
  id?: string;
  $schema?: string;
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: unknown;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: Array<unknown>;
  maxProperties?: number;
  minProperties?: number;
  required?: Array<string>;
  items?: JSONSchemaProps | JSONSchemaProps[];
  allOf?: Array<JSONSchemaProps>;
  oneOf?: Array<JSONSchemaProps>;
  anyOf?: Array<JSONSchemaProps>;
  not?: JSONSchemaProps;
  properties?: { [name: string]: JSONSchemaProps };
  additionalProperties?: JSONSchemaProps | boolean;
  patternProperties?: { [name: string]: JSONSchemaProps };
  dependencies?: { [name: string]: JSONSchemaProps | string[] };
  additionalItems?: JSONSchemaProps | boolean;
  definitions?: { [name: string]: JSONSchemaProps };
  externalDocs?: ExternalDocumentation;
  example?: unknown;
  nullable?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-map-keys"?: Array<string>;
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: Array<ValidationRule>;
}
export interface SelectableField {
  jsonPath: string;
}
export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}
export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: string;
}
export interface WebhookConversion {
  clientConfig?: WebhookClientConfig;
  conversionReviewVersions: Array<string>;
}
