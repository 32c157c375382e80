# SPDX-License-Identifier: GPL-3.0-or-later
{
  description = "foretime predicts what a run will cost before you start it";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      version = "0.2.0";
      package = system: arch:
        let pkgs = nixpkgs.legacyPackages.${system}; in
        pkgs.stdenvNoCC.mkDerivation {
          pname = "foretime";
          inherit version;
          src = ./. + "/foretime-${version}-linux-${arch}.tar.gz";
          # Its own loader and libraries are inside: nothing is patched.
          dontPatchELF = true;
          dontStrip = true;
          installPhase = ''
            mkdir -p $out
            cp -a . $out/
          '';
          doInstallCheck = true;
          installCheckPhase = "$out/bin/foretime --version";
          meta = {
            license = pkgs.lib.licenses.gpl3Plus;
            platforms = [ system ];
            mainProgram = "foretime";
          };
        };
    in {
      packages.x86_64-linux.default = package "x86_64-linux" "x86_64";
      packages.aarch64-linux.default = package "aarch64-linux" "aarch64";
    };
}
