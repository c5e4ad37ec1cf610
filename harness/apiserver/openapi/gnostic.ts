import { encodeProtobuf, type Message } from './protobuf.ts';
import type { SwaggerDocument } from './swagger.ts';

/**
 * Encodes the document as gnostic protobuf, the format that kubectl requests.
 *
 * Upstream: google/gnostic-models@v0.7.0 openapiv2/OpenAPIv2.proto
 */
export function encodeGnostic(document: SwaggerDocument): Uint8Array {
  return encodeProtobuf(documentMessage, document);
}

const schema: Message = {
  fields: {
    $ref: [1, 'text'],
    format: [2, 'text'],
    description: [4, 'text'],
    required: [19, 'text'],
    enum: [20, 'yaml'],
    additionalProperties: [21, { wraps: () => [1, () => schema] }],
    type: [22, { wraps: () => [1, 'text'] }],
    items: [23, { wraps: () => [1, () => schema] }],
    properties: [25, { entries: [1, () => schema] }],
  },
  extensions: 31,
};

const bodyParameter: Message = {
  fields: { name: [2, 'text'], in: [3, 'text'], required: [4, 'truth'], schema: [5, schema] },
};

const queryParameter: Message = {
  fields: {
    ...{ required: [1, 'truth'], in: [2, 'text'], name: [4, 'text'] },
    ...{ type: [6, 'text'], uniqueItems: [20, 'truth'] },
  },
};

const pathParameter: Message = {
  fields: {
    ...{ required: [1, 'truth'], in: [2, 'text'], name: [4, 'text'] },
    ...{ type: [5, 'text'], uniqueItems: [19, 'truth'] },
  },
};

const nonBodyParameter: Message = {
  wraps: (value) => ('in' in value && value.in === 'path' ? [4, pathParameter] : [3, queryParameter]),
};

const parameter: Message = {
  wraps: (value) => ('in' in value && value.in === 'body' ? [1, bodyParameter] : [2, nonBodyParameter]),
};

const parametersItem: Message = { wraps: () => [1, parameter] };

const response: Message = {
  fields: { description: [1, 'text'], schema: [2, { wraps: () => [1, schema] }] },
};

const operation: Message = {
  fields: {
    tags: [1, 'text'],
    operationId: [5, 'text'],
    produces: [6, 'text'],
    consumes: [7, 'text'],
    parameters: [8, parametersItem],
    responses: [9, { entries: [1, { wraps: () => [1, response] }] }],
  },
  extensions: 13,
};

const pathItem: Message = {
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    patch: [8, operation],
    parameters: [9, parametersItem],
  },
};

const apiKeySecurity: Message = {
  fields: { type: [1, 'text'], name: [2, 'text'], in: [3, 'text'] },
};

const documentMessage: Message = {
  fields: {
    swagger: [1, 'text'],
    info: [2, { fields: { title: [1, 'text'], version: [2, 'text'] } }],
    paths: [8, { entries: [2, pathItem] }],
    definitions: [9, { entries: [1, schema] }],
    security: [12, { entries: [1, { wraps: () => [1, 'text'] }] }],
    securityDefinitions: [13, { entries: [1, { wraps: () => [2, apiKeySecurity] }] }],
  },
};
