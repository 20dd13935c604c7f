/** The HTTP API: JSON in, JSON out; what is refused comes as an `ApiError` with the server's code. */

export class ApiError extends Error {
  /** @param {string} code @param {string} message @param {number} status */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export class Http {
  /** @param {() => string|null} readToken */
  constructor(readToken) {
    this.readToken = readToken;
  }

  /** @param {string} path below `/api/v1/` @returns {Promise<any>} */
  get(path) {
    return this.call("GET", path);
  }

  /** @param {string} path @param {unknown} body @returns {Promise<any>} */
  post(path, body) {
    return this.call("POST", path, body);
  }

  /** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async call(method, path, body) {
    const token = this.readToken();
    /** @type {Record<string, string>} */
    const headers = {};
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(`/api/v1/${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    } catch {
      throw new ApiError("offline", "", 0);
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const answer = isJson && text ? JSON.parse(text) : text;
    if (!response.ok) throw new ApiError(answer?.code ?? "internal", answer?.message ?? "", response.status);
    return answer;
  }
}

/**
 * Something that is being fetched, for a page to draw: nothing yet, the value, or why not.
 * @template T
 */
export class Fetched {
  /** @param {Promise<T>} promise @param {() => void} changed */
  constructor(promise, changed) {
    /** @type {T|null} */
    this.value = null;
    /** @type {ApiError|null} */
    this.error = null;
    promise.then(
      (value) => {
        this.value = value;
        changed();
      },
      (error) => {
        this.error = error instanceof ApiError ? error : new ApiError("internal", String(error), 0);
        changed();
      },
    );
  }
}
