/* Packed pieces of the page; `frex.explorer.packing` is the other end. */

const loaded = new Promise((resolve) => {
  if (document.readyState !== "loading") resolve();
  else document.addEventListener("DOMContentLoaded", resolve, { once: true });
});

const types = { Uint8Array, Uint16Array, Uint32Array };

async function unpack(name) {
  // this script runs while the pieces are still being read: one is whole when something follows it
  if (!byId(name)?.nextSibling) await loaded;
  const packed = Uint8Array.from(atob(byId(name).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  const headerBytes = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headerBytes)));
  const found = { meta: header.meta };
  let offset = 4 + headerBytes;
  for (const [field, type, length] of header.arrays) {
    found[field] = fromPlanes(new types[type](length), new Uint8Array(buffer, offset));
    offset += found[field].byteLength;
  }
  return found;
}

/** Put numbers together whose lowest bytes come first, then the next. */
function fromPlanes(numbers, bytes) {
  const [size, length] = [numbers.BYTES_PER_ELEMENT, numbers.length];
  for (let plane = 0; plane < size; plane++)
    for (let i = 0; i < length; i++) numbers[i] += bytes[plane * length + i] * 256 ** plane;
  return numbers;
}
