export { endpointSliceController, newEndpointSliceController } from './endpoint-slice-controller.ts';
export { endpointsController } from './endpoints-controller.ts';
