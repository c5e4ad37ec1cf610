/** The images of a machine. */
export { parseImageName } from './image-name.ts';
export type { ImageProfileName } from './image-profile.ts';
export type { ImageStore, LocalImage } from './local-image.ts';
export { MachineImages, SANDBOX_IMAGE } from './machine-images.ts';
