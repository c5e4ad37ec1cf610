export { planMirroring } from './mirrored-slices.ts';
export { endpointSliceMirroringController } from './mirroring-controller.ts';
