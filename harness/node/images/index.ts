/** The images of a machine. */
export { formatImageName, type ImageName, parseImageName } from './image-name.ts';
export type { ImageProfileName } from './image-profile.ts';
export type { ImageConfig, ImageStore, LocalImage } from './local-image.ts';
export { MachineImages, type MachineImagesOptions, SANDBOX_IMAGE } from './machine-images.ts';
