/**
 * The kind of a file by its first bytes. What an uploader says of it does not count: a page named
 * `photo.png` must not be served as what it says it is.
 *
 * The kinds models read are few and their signatures do not change, so they stand here; a library that
 * knows a hundred formats would bring four packages for nine lines.
 */

type Signature = {
  readonly mediaType: string;
  /** Bytes at the beginning; `undefined` fits any. */
  readonly bytes: readonly (number | undefined)[];
};

const ascii = (text: string): readonly number[] => [...Buffer.from(text, "latin1")];
/** A RIFF file has its length before its kind. */
const riff = (kind: string) => [
  ...ascii("RIFF"),
  ...Array.from({ length: 4 }, () => undefined),
  ...ascii(kind),
];

const SIGNATURES: readonly Signature[] = [
  { mediaType: "image/png", bytes: [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a] },
  { mediaType: "image/jpeg", bytes: [0xff, 0xd8, 0xff] },
  { mediaType: "image/gif", bytes: ascii("GIF87a") },
  { mediaType: "image/gif", bytes: ascii("GIF89a") },
  { mediaType: "image/webp", bytes: riff("WEBP") },
  { mediaType: "application/pdf", bytes: ascii("%PDF-") },
  { mediaType: "audio/wav", bytes: riff("WAVE") },
  { mediaType: "audio/ogg", bytes: ascii("OggS") },
  { mediaType: "audio/mpeg", bytes: ascii("ID3") },
];

/** Bytes looked at to tell text from anything else. */
const TEXT_BYTES = 1_024;

/** The media type of a file; `undefined` when it is none of those that are known. */
export function mediaTypeOf(content: Uint8Array): string | undefined {
  const known = SIGNATURES.find(({ bytes }) => beginsWith(content, bytes));
  if (known !== undefined) return known.mediaType;
  if (isMp3Frame(content)) return "audio/mpeg";
  return isText(content) ? "text/plain" : undefined;
}

const beginsWith = (content: Uint8Array, bytes: Signature["bytes"]): boolean =>
  content.length >= bytes.length &&
  bytes.every((byte, index) => byte === undefined || content[index] === byte);

/** MP3 without a tag begins with a frame: its sync, a version that exists, layer III, a rate that exists. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const hasSync = first === 0xff && (second & 0xe0) === 0xe0;
  const isLayer3 = ((second >> 1) & 3) === 1;
  const isReserved = ((second >> 3) & 3) === 1 || third >> 4 === 15 || ((third >> 2) & 3) === 3;
  return hasSync && isLayer3 && !isReserved;
}

function isText(content: Uint8Array): boolean {
  const beginning = content.subarray(0, TEXT_BYTES);
  if (beginning.length === 0 || beginning.some(isControl)) return false;
  try {
    // A character that the cut goes through is no fault of the file.
    const options = { stream: content.length > TEXT_BYTES };
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, options);
    return true;
  } catch {
    return false;
  }
}

/** Tab, line feed, form feed and carriage return are in texts. */
const isControl = (byte: number): boolean =>
  (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) ||
  byte === 0x7f;
